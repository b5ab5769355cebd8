import type { Organisation } from '@account-import/core'
import { toWireDatetime } from '@account-import/core/adapter-kit'
import type { Command } from 'commander'
import { typed } from '../../program-name.js'
import { given } from '../arguments.js'
import { type CliContext, leafCommand } from '../command.js'
import { beginning, operate } from '../operate.js'
import { listed } from '../output.js'

const toJson = ({ code, name, createdAt, disabledAt }: Organisation) => ({
  code,
  name,
  created_at: toWireDatetime(createdAt),
  disabled_at: disabledAt === undefined ? null : toWireDatetime(disabledAt),
})

const create = (context: CliContext): Command =>
  leafCommand('create', 'Register a client of the service.')
    .argument('<code>', 'its code, such as ACME')
    .option('--name <name>', 'its name; the code when left out')
    .action((code: string, { name }: { name?: string }) =>
      operate(
        context,
        (operator) => operator.createOrganisation(given({ code, name })),
        (made) => ({ json: toJson(made), message: `Organisation ${made.code} was created.` }),
        beginning,
      ),
    )

const list = (context: CliContext): Command =>
  leafCommand('list', 'Show all organisations.').action(() =>
    operate(
      context,
      (operator) => operator.listOrganisations(),
      (all) => ({
        json: all.map(toJson),
        ...listed(
          ['CODE', 'NAME', 'CREATED AT', 'DISABLED AT'],
          all
            .map(toJson)
            .map(({ code, name, created_at, disabled_at }) => [code, name, created_at, disabled_at ?? '-']),
          `There is no organisation yet. Make one with: ${typed('organisation create CODE')}`,
        ),
      }),
    ),
  )

const disable = (context: CliContext): Command =>
  leafCommand('disable', 'Let none of its keys and tokens work until it is enabled again.')
    .argument('<code>', 'the code that organisation list shows')
    .action((code: string) =>
      operate(
        context,
        (operator) => operator.disableOrganisation(code),
        (disabled) => ({
          json: toJson(disabled),
          message:
            `Organisation ${code} is disabled: no key of it obtains tokens, and within 60 seconds no token works.` +
            ` Its data stays. To undo it: ${typed(`organisation enable ${code}`)}`,
        }),
      ),
    )

const enable = (context: CliContext): Command =>
  leafCommand('enable', 'Let the keys of a disabled organisation work again.')
    .argument('<code>', 'the code that organisation list shows')
    .action((code: string) =>
      operate(
        context,
        (operator) => operator.enableOrganisation(code),
        (enabled) => ({
          json: toJson(enabled),
          message: `Organisation ${code} is enabled: its keys and tokens work again within 60 seconds.`,
        }),
      ),
    )

const revoke = (context: CliContext): Command =>
  leafCommand('revoke', 'End all keys and sessions of an organisation for good.')
    .argument('<code>', 'the code that organisation list shows')
    .action((code: string) =>
      operate(
        context,
        (operator) => operator.revokeOrganisation(code),
        ({ revokedKeys }) => ({
          json: { code, revoked_keys: revokedKeys },
          message:
            `${revokedKeys} API keys of ${code} are revoked; tokens obtained with them stop working within 60 seconds.` +
            ` For a new one: ${typed(`api-key create --organisation ${code}`)}`,
        }),
      ),
    )

/** `organisation create | list | disable | enable | revoke` */
export const make = (context: CliContext): readonly Command[] =>
  [create, list, disable, enable, revoke].map((command) => command(context))
