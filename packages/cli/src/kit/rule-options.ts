import {
  bundledMarkets,
  type ClosedList,
  severities,
  type Severity,
  type SupplierSettings,
} from '@account-import/core'
import { openLists } from '@account-import/core/payloads'
import { type Command, InvalidArgumentError } from 'commander'
import { collected, oneOf } from './arguments.js'

/** Reads `NAME=VALUE,VALUE,…:error` or `…:warn`. Names and values are checked when the settings are saved. */
const closedListArgument = (text: string): readonly [name: string, list: ClosedList] => {
  const [, name, members, severity] = /^([^=]+)=(.+):(error|warn)$/s.exec(text) ?? []
  if (name === undefined || members === undefined || severity === undefined)
    throw new InvalidArgumentError('Write it as NAME=VALUE,VALUE:error or NAME=VALUE,VALUE:warn.')
  return [name, { members: members.split(','), severity: severity === 'error' ? 'error' : 'warn' }]
}

/** Reads `RULE_CODE=error|warn|off`. Whether the rule may be changed is checked when the settings are saved. */
const severityArgument = (text: string): readonly [code: string, severity: Severity] => {
  const [, code, severity] = /^([^=]+)=(.*)$/.exec(text) ?? []
  if (code === undefined || severity === undefined)
    throw new InvalidArgumentError('Write it as RULE_CODE=error, RULE_CODE=warn or RULE_CODE=off.')
  return [code, oneOf(severities)(severity)]
}

/** Adds the options for the settings of validation, parsed as `SettingsOptions`. */
export const withRuleOptions = (command: Command): Command =>
  command
    .option(
      '--severity <rule=severity>',
      'severity of a changeable rule, repeatable',
      collected(severityArgument),
    )
    .option(
      '--close-list <name=a,b:severity>',
      'allow these values only, repeatable',
      collected(closedListArgument),
    )
    .option('--open-list <name>', 'allow any value again, repeatable', collected(oneOf(openLists)))
    .option(
      '--internal-email-domain <domain>',
      'repeatable; replaces the list; the value none empties it',
      collected(String),
    )
    .option(
      '--market <country>',
      `country whose rules apply beside the common rules (${bundledMarkets.map(({ market }) => market).join(', ')}); repeatable; replaces the set; the value none empties it`,
      collected(oneOf([...bundledMarkets.map(({ market }) => market), 'none'])),
    )

/** The parsed options of `supplier configure`; absent ones change nothing. */
export type SettingsOptions = Readonly<{
  documentRoot?: string
  migrationEmails?: boolean
  emailLanguage?: string
  checkDocuments?: Severity
  severity?: readonly (readonly [code: string, severity: Severity])[]
  retentionDays?: number | 'off'
  closeList?: readonly (readonly [name: string, list: ClosedList])[]
  openList?: readonly string[]
  /** Replaces the whole list; `none` alone empties it. */
  internalEmailDomain?: readonly string[]
  /** Replaces the whole set; `none` alone empties it. */
  market?: readonly string[]
}>

const documentCheck = 'path_does_not_exist_in_file_store'

const severitiesOf = ({ severity = [], checkDocuments }: SettingsOptions) => ({
  ...Object.fromEntries(severity),
  ...(checkDocuments === undefined ? {} : { [documentCheck]: checkDocuments }),
})

const listsOf = (
  lists: SupplierSettings['closedLists'],
  { closeList = [], openList = [] }: SettingsOptions,
): SupplierSettings['closedLists'] => {
  const closed = { ...lists, ...Object.fromEntries(closeList) }
  return Object.fromEntries(Object.entries(closed).filter(([name]) => !openList.includes(name)))
}

/** The values of an option that replaces a list; `none` alone is the empty list. */
const replacing = (given: readonly string[]): readonly string[] =>
  given.length === 1 && given[0] === 'none' ? [] : [...new Set(given)]

/** Applies the options to settings. The use case checks the outcome. */
export const settingsChange =
  (options: SettingsOptions) =>
  (settings: SupplierSettings): SupplierSettings => {
    const { retentionDays: kept, emailLanguage: chosen, ...others } = settings
    const days = options.retentionDays ?? kept ?? 'off'
    const language = options.emailLanguage ?? chosen ?? 'auto'
    return {
      ...others,
      documentRoot: options.documentRoot ?? settings.documentRoot,
      migrationEmails: options.migrationEmails ?? settings.migrationEmails,
      severities: { ...settings.severities, ...severitiesOf(options) },
      closedLists: listsOf(settings.closedLists, options),
      internalEmailDomains:
        options.internalEmailDomain === undefined
          ? settings.internalEmailDomains
          : replacing(options.internalEmailDomain),
      markets: options.market === undefined ? settings.markets : replacing(options.market),
      ...(days === 'off' ? {} : { retentionDays: days }),
      ...(language === 'auto' ? {} : { emailLanguage: language }),
    }
  }

/** The JSON form of a supplier's settings for `--json`. */
export const settingsJson = (settings: SupplierSettings) => ({
  document_root: settings.documentRoot,
  migration_emails: settings.migrationEmails,
  email_language: settings.emailLanguage ?? null,
  retention_days: settings.retentionDays ?? null,
  severities: settings.severities,
  closed_lists: settings.closedLists,
  internal_email_domains: settings.internalEmailDomains,
  markets: settings.markets,
})
