import type { Organisation } from '@account-import/core'
import { toWireDatetime } from '@account-import/core/adapter-kit'
import { given, leafCommand, listed, timeJson, typed } from '@account-import/cli/kit'
import { operatorCommands } from '../operate.js'

const toJson = ({ code, name, createdAt, disabledAt }: Organisation) => ({
  code,
  name,
  created_at: toWireDatetime(createdAt),
  disabled_at: timeJson(disabledAt),
})

const codeCommand = (name: string, description: string) =>
  leafCommand(name, description).argument('<code>', 'the code that organisation list shows')

/** `organisation create | list | disable | enable | revoke` */
export const make = operatorCommands(({ command }) => [
  command(
    leafCommand('create', 'Register a client of the service.')
      .example("organisation create ACME --name 'Acme Energy'")
      .argument('<code>', 'its code, such as ACME')
      .option('--name <name>', 'its name (default: the code)'),
    ({ operator }, code: string, { name }: { name?: string }) =>
      operator.createOrganisation(given({ code, name })),
    (made) => ({ json: toJson(made), message: `Organisation ${made.code} was created.` }),
    'begins',
  ),
  command(
    leafCommand('list', 'Show all organisations.').example('organisation list', 'organisation list --json'),
    ({ operator }) => operator.listOrganisations(),
    listed(
      toJson,
      [
        ['CODE', ({ code }) => code],
        ['NAME', ({ name }) => name],
        ['CREATED AT', ({ created_at: createdAt }) => createdAt],
        ['DISABLED AT', ({ disabled_at: disabledAt }) => disabledAt ?? '-'],
      ],
      `There is no organisation yet. Make one with: ${typed('organisation create CODE')}`,
    ),
  ),
  command(
    codeCommand('disable', 'Refuse all its keys and tokens until you enable it again.').example(
      'organisation disable ACME',
    ),
    ({ operator }, code: string) => operator.disableOrganisation(code),
    (disabled, code) => ({
      json: toJson(disabled),
      message:
        `Organisation ${code} is disabled: no key of it obtains tokens, and within 60 seconds no token works.` +
        ` Its data stays. To undo it: ${typed(`organisation enable ${code}`)}`,
    }),
  ),
  command(
    codeCommand('enable', 'Accept the keys of a disabled organisation again.').example(
      'organisation enable ACME',
    ),
    ({ operator }, code: string) => operator.enableOrganisation(code),
    (enabled, code) => ({
      json: toJson(enabled),
      message: `Organisation ${code} is enabled: its keys and tokens work again within 60 seconds.`,
    }),
  ),
  command(
    codeCommand('revoke', 'End all keys and sessions of an organisation for good.').example(
      'organisation revoke ACME',
    ),
    ({ operator }, code: string) => operator.revokeOrganisation(code),
    ({ revokedKeys }, code) => ({
      json: { code, revoked_keys: revokedKeys },
      message:
        `${revokedKeys} API keys of ${code} are revoked; tokens obtained with them stop working within 60 seconds.` +
        ` For a new one: ${typed(`api-key create --organisation ${code}`)}`,
    }),
  ),
])
