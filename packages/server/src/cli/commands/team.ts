import { Command } from 'commander'
import type { CliContext, JsonOption } from '../cli-context.js'
import { leafCommand } from '../leaf-command.js'
import { operate, operateOrBegin } from '../operate.js'
import { listed } from '../output/table.js'

const create = (context: CliContext): Command =>
  leafCommand('create', 'Register an operations team.')
    .argument('<name>', 'the name that requests to process an account give')
    .action((name: string, options: JsonOption) =>
      operateOrBegin(
        context,
        options,
        (operator) => operator.createTeam(name),
        (made) => ({ json: { name: made.name }, message: `Operations team ${made.name} was created.` }),
      ),
    )

const list = (context: CliContext): Command =>
  leafCommand('list', 'Show all operations teams.').action((options: JsonOption) =>
    operate(
      context,
      options,
      (operator) => operator.listTeams(),
      (names) => ({
        json: names.map((name) => ({ name })),
        ...listed(
          ['NAME'],
          names.map((name) => [name]),
          'There is no operations team yet. Make one with: account-import team create NAME',
        ),
      }),
    ),
  )

/** `team create | list` */
export const teamCommand = (context: CliContext): Command =>
  new Command('team')
    .description('Teams that accounts are created under; all organisations share them.')
    .addCommand(create(context))
    .addCommand(list(context))
