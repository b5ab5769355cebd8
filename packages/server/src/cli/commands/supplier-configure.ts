import type { Command } from 'commander'
import { markets, severities } from '@account-import/core'
import { closedListArgument } from '../arguments/closed-list-argument.js'
import { collected } from '../arguments/collected.js'
import { onOff } from '../arguments/on-off.js'
import { oneOf } from '../arguments/one-of.js'
import { retentionArgument } from '../arguments/retention-argument.js'
import { severityArgument } from '../arguments/severity-argument.js'
import type { CliContext, JsonOption } from '../cli-context.js'
import { leafCommand } from '../leaf-command.js'
import { operate } from '../operate.js'
import { supplierJson } from '../output/supplier-json.js'
import { supplierText } from '../output/supplier-text.js'
import { settingsChange, type SettingsOptions } from '../settings-change.js'

/** Settings that are checked and kept already, for a part of the service that comes later. */
const later = 'stored now, takes effect with the part that uses it'

const withOptions = (command: Command): Command =>
  command
    .option('--document-root <path>', 'prefix of its document paths inside the bucket; empty for none')
    .option('--migration-emails <on|off>', `whether customers get an e-mail when migrated; ${later}`, onOff)
    .option(
      '--check-documents <severity>',
      'what a missing document does: off, warn, error',
      oneOf(severities),
    )
    .option(
      '--severity <rule=severity>',
      'what a changeable rule does, repeatable',
      collected(severityArgument),
    )
    .option(
      '--retention-days <days|off>',
      `how long staged data stays after creation; ${later}`,
      retentionArgument,
    )
    .option(
      '--close-list <name=a,b:severity>',
      'allow these values only, repeatable',
      collected(closedListArgument),
    )
    .option('--open-list <name>', 'allow any value again, repeatable', collected(String))
    .option(
      '--internal-email-domain <domain>',
      'repeatable; those given replace the list, none empties it',
      collected(String),
    )
    .option(
      '--market <country>',
      `whose rules hold besides the common ones (${markets.join(', ')}); repeatable; those given replace the set, none empties it`,
      collected(String),
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
      (supplier) => ({ json: supplierJson(supplier), text: supplierText(supplier) }),
    )
  })
}
