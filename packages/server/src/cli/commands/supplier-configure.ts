import type { Command } from 'commander'
import { severities } from '@account-import/core'
import { onOff } from '../arguments/on-off.js'
import { languageArgument } from '../arguments/language-argument.js'
import { oneOf } from '../arguments/one-of.js'
import { retentionArgument } from '../arguments/retention-argument.js'
import { withRuleOptions } from '../arguments/rule-options.js'
import type { CliContext, JsonOption } from '../cli-context.js'
import { emailNotices } from '../email-notices.js'
import { leafCommand } from '../leaf-command.js'
import { operate } from '../operate.js'
import { supplierJson } from '../output/supplier-json.js'
import { supplierText } from '../output/supplier-text.js'
import { settingsChange, type SettingsOptions } from '../settings-change.js'

const withOptions = (command: Command): Command =>
  withRuleOptions(command)
    .option(
      '--document-root <path>',
      'prefix of its document paths inside the bucket; empty for the bucket itself, where no other organisation has a supplier',
    )
    .option(
      '--migration-emails <on|off>',
      'whether customers get an e-mail when their account is created',
      onOff,
    )
    .option(
      '--email-language <code|auto>',
      "language of these e-mails; auto: by the account's country",
      languageArgument,
    )
    .option(
      '--check-documents <severity>',
      'what a missing document does: off, warn, error',
      oneOf(severities),
    )
    .option(
      '--retention-days <days|off>',
      'days that staged data of created accounts stays after their creation; off: for ever',
      retentionArgument,
    )

/** `supplier configure CODE …`: what is not named stays as it is. */
export const configureSupplier = (context: CliContext): Command => {
  const command = withOptions(
    leafCommand('configure', 'Change settings of a supplier; they hold from the next request on.').argument(
      '<code>',
      'import supplier code',
    ),
  )
  return command.action(async (code: string, { json, ...settings }: JsonOption & SettingsOptions) => {
    if (Object.keys(settings).length === 0)
      command.error('error: name at least one setting to change (add --help to see them)')
    await operate(
      context,
      json === undefined ? {} : { json },
      (operator) => operator.configureSupplier({ code, change: settingsChange(settings) }),
      (supplier, config) => ({
        json: supplierJson(supplier),
        result: supplierText(supplier),
        notices:
          settings.migrationEmails === undefined && settings.emailLanguage === undefined
            ? []
            : emailNotices(supplier, config),
      }),
    )
  })
}
