import { Command } from 'commander'
import type { Organisation } from '@account-import/core'
import { toWireDatetime } from '@account-import/core/adapter-kit'
import type { CliContext, JsonOption } from '../cli-context.js'
import { leafCommand } from '../leaf-command.js'
import { operate, operateOrBegin } from '../operate.js'
import { listed } from '../output/table.js'

const toJson = ({ code, name, createdAt }: Organisation) => ({
  code,
  name,
  created_at: toWireDatetime(createdAt),
})

const create = (context: CliContext): Command =>
  leafCommand('create', 'Register a client of the service.')
    .argument('<code>', 'what it is known by, such as ACME')
    .option('--name <name>', 'its name; the code when left out')
    .action(async (code: string, options: JsonOption & { name?: string }) => {
      const name = options.name === undefined ? {} : { name: options.name }
      await operateOrBegin(
        context,
        options,
        (operator) => operator.createOrganisation({ code, ...name }),
        (made) => ({ json: toJson(made), message: `Organisation ${made.code} was created.` }),
      )
    })

const list = (context: CliContext): Command =>
  leafCommand('list', 'Show all organisations.').action((options: JsonOption) =>
    operate(
      context,
      options,
      (operator) => operator.listOrganisations(),
      (all) => ({
        json: all.map(toJson),
        ...listed(
          ['CODE', 'NAME', 'CREATED AT'],
          all.map(({ code, name, createdAt }) => [code, name, toWireDatetime(createdAt)]),
          'There is no organisation yet. Make one with: account-import organisation create CODE',
        ),
      }),
    ),
  )

/** `organisation create | list` */
export const organisationCommand = (context: CliContext): Command =>
  new Command('organisation')
    .description('Clients of the service; they own API keys and import suppliers.')
    .addCommand(create(context))
    .addCommand(list(context))
