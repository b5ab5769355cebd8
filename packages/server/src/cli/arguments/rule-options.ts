import { bundledMarkets, type ClosedList, severities, type Severity } from '@account-import/core'
import { openLists } from '@account-import/core/adapter-kit'
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

/** The settings of a supplier that decide how its accounts are validated, as options; `SettingsOptions` are read. */
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
      'repeatable; those given replace the list, none empties it',
      collected(String),
    )
    .option(
      '--market <country>',
      `country whose rules hold besides the common ones (${bundledMarkets.map(({ market }) => market).join(', ')}); repeatable; those given replace the set, none empties it`,
      collected(oneOf([...bundledMarkets.map(({ market }) => market), 'none'])),
    )
