import type { OperationsTeam, OperatorUseCases } from '@account-import/core'
import type { Command } from 'commander'
import { typed } from '../../program-name.js'
import { type CliContext, leafCommand } from '../command.js'
import { beginning, operate } from '../operate.js'
import { listed } from '../output.js'

const usersOf = ({ organisations }: OperationsTeam): string =>
  organisations.length === 0 ? 'all organisations' : organisations.join(', ')

const create = (context: CliContext): Command =>
  leafCommand('create', 'Register an operations team.')
    .argument('<name>', 'the name that requests to process an account give')
    .action((name: string) =>
      operate(
        context,
        (operator) => operator.createTeam(name),
        (made) => ({ json: { name: made.name }, message: `Operations team ${made.name} was created.` }),
        beginning,
      ),
    )

const list = (context: CliContext): Command =>
  leafCommand('list', 'Show all operations teams.').action(() =>
    operate(
      context,
      (operator) => operator.listTeams(),
      (teams) => ({
        json: teams,
        ...listed(
          ['NAME', 'FOR'],
          teams.map((team) => [team.name, usersOf(team)]),
          `There is no operations team yet. Make one with: ${typed('team create NAME')}`,
        ),
      }),
    ),
  )

const bindings = {
  bind: {
    description: 'Let only organisations that a team is bound to use it; to be repeated for each.',
    of: (operator: OperatorUseCases) => operator.bindTeam,
  },
  unbind: {
    description: 'Take such a binding away; all may use a team that is bound to none.',
    of: (operator: OperatorUseCases) => operator.unbindTeam,
  },
} as const

const binding = (context: CliContext, name: keyof typeof bindings): Command =>
  leafCommand(name, bindings[name].description)
    .argument('<name>', 'the name that team list shows')
    .requiredOption('--organisation <code>', 'the organisation')
    .action((team: string, options: Readonly<{ organisation: string }>) =>
      operate(
        context,
        (operator) => bindings[name].of(operator)({ name: team, organisation: options.organisation }),
        (bound) => ({
          json: bound,
          message: `Operations team ${bound.name} may be used by: ${usersOf(bound)}.`,
        }),
      ),
    )

/** `team create | list | bind | unbind` */
export const make = (context: CliContext): readonly Command[] => [
  create(context),
  list(context),
  binding(context, 'bind'),
  binding(context, 'unbind'),
]
