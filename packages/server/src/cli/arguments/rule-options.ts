import type { Command } from 'commander'
import { bundledMarkets } from '@account-import/core'
import { openLists } from '@account-import/core/adapter-kit'
import { closedListArgument } from './closed-list-argument.js'
import { collected } from './collected.js'
import { oneOf } from './one-of.js'
import { severityArgument } from './severity-argument.js'

/** The settings of a supplier that decide how its accounts are validated, as options; `SettingsOptions` are read. */
export const withRuleOptions = (command: Command): Command =>
  command
    .option(
      '--severity <rule=severity>',
      'what a changeable rule does, repeatable',
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
      `whose rules hold besides the common ones (${bundledMarkets.map(({ market }) => market).join(', ')}); repeatable; those given replace the set, none empties it`,
      collected(oneOf([...bundledMarkets.map(({ market }) => market), 'none'])),
    )
