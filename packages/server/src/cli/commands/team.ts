import type { OperationsTeam, OperatorUseCases } from '@account-import/core'
import { leafCommand, listed, typed } from '@account-import/cli/kit'
import { operatorCommands } from '../operate.js'

const usersOf = ({ organisations }: OperationsTeam): string =>
  organisations.length === 0 ? 'all organisations' : organisations.join(', ')

/** `team create | list | bind | unbind` */
export const make = operatorCommands(({ command }) => {
  const binding = (
    name: 'bind' | 'unbind',
    description: string,
    useCase: (operator: OperatorUseCases) => OperatorUseCases['bindTeam' | 'unbindTeam'],
  ) =>
    command(
      leafCommand(name, description)
        .example(`team ${name} 'Migration team' --organisation ACME`)
        .argument('<name>', 'the name that team list shows')
        .requiredOption('--organisation <code>', 'the organisation'),
      ({ operator }, team: string, { organisation }: Readonly<{ organisation: string }>) =>
        useCase(operator)({ name: team, organisation }),
      (bound) => ({
        json: bound,
        message: `Operations team ${bound.name} may be used by: ${usersOf(bound)}.`,
      }),
    )
  return [
    command(
      leafCommand('create', 'Register an operations team.')
        .example("team create 'Migration team'")
        .argument('<name>', 'the name for requests to process an account'),
      ({ operator }, name: string) => operator.createTeam(name),
      ({ name }) => ({ json: { name }, message: `Operations team ${name} was created.` }),
      'begins',
    ),
    command(
      leafCommand('list', 'Show all operations teams.').example('team list'),
      ({ operator }) => operator.listTeams(),
      listed(
        (team: OperationsTeam) => team,
        [
          ['NAME', ({ name }) => name],
          ['FOR', usersOf],
        ],
        `There is no operations team yet. Make one with: ${typed('team create NAME')}`,
      ),
    ),
    binding(
      'bind',
      'Bind a team to an organisation; only bound organisations may use it.',
      ({ bindTeam }) => bindTeam,
    ),
    binding(
      'unbind',
      'Remove a binding; all may use a team without bindings.',
      ({ unbindTeam }) => unbindTeam,
    ),
  ]
})
