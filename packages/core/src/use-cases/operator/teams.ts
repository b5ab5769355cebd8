import { required, struct } from '../../codec/index.js'
import { pipe, type TaskEither, TE } from '../../fp.js'
import { operationsTeamName } from '../../payloads/identifiers.js'
import type { Ports } from '../../ports/index.js'
import type { OperationsTeam } from '../../ports/registers.js'
import type { PortFailure } from '../../ports/port-failure.js'
import type { OperatorRefusal, UseCaseResult } from '../errors.js'
import { checkInput } from './check-input.js'

/** Operations teams, and the organisations that may use them. */
export type TeamUseCases = Readonly<{
  /** Accounts are created for a team: `operations_team_name` of `processAccount`. */
  createTeam(name: string): UseCaseResult<OperatorRefusal, Readonly<{ name: string }>>
  listTeams(): UseCaseResult<never, readonly OperationsTeam[]>
  /** Only organisations that a team is bound to may use it; all may use one that is bound to none. */
  bindTeam(
    binding: Readonly<{ name: string; organisation: string }>,
  ): UseCaseResult<OperatorRefusal, OperationsTeam>
  /** One that is not bound to the organisation stays as it is. */
  unbindTeam(
    binding: Readonly<{ name: string; organisation: string }>,
  ): UseCaseResult<OperatorRefusal, OperationsTeam>
}>

type TeamPorts = Pick<Ports, 'operationsTeams' | 'clock' | 'settings'>

const input = struct('operations team', { name: required(operationsTeamName) })

type BoundTeam = TaskEither<OperatorRefusal | PortFailure, OperationsTeam>

const noTeam = (name: string): OperatorRefusal => ({ _tag: 'DoesNotExist', subject: 'operations team', name })

const boundTeam = ({ operationsTeams }: TeamPorts, name: string): BoundTeam =>
  pipe(
    operationsTeams.list(),
    TE.map((teams) => teams.find((team) => team.name === name)),
    TE.flatMap((team): BoundTeam => (team === undefined ? TE.left(noTeam(name)) : TE.right(team))),
  )

export const teamUseCases = (ports: TeamPorts): TeamUseCases => ({
  createTeam: (raw) =>
    pipe(
      checkInput(ports)(input, { name: raw }),
      TE.tap(({ name }) =>
        pipe(
          ports.operationsTeams.create(name),
          TE.flatMap((outcome): TaskEither<OperatorRefusal, void> =>
            outcome === 'created'
              ? TE.right(undefined)
              : TE.left({ _tag: 'AlreadyExists', subject: 'operations team', name }),
          ),
        ),
      ),
    ),
  listTeams: () => ports.operationsTeams.list(),
  bindTeam: ({ name, organisation }) =>
    pipe(
      ports.operationsTeams.bind(name, organisation),
      TE.flatMap((outcome): BoundTeam => {
        if (outcome === 'bound') return boundTeam(ports, name)
        return TE.left(
          outcome === 'team_does_not_exist'
            ? noTeam(name)
            : { _tag: 'DoesNotExist', subject: 'organisation', name: organisation },
        )
      }),
    ),
  unbindTeam: ({ name, organisation }) =>
    pipe(
      ports.operationsTeams.unbind(name, organisation),
      TE.flatMap(() => boundTeam(ports, name)),
    ),
})
