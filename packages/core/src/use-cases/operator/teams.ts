import { required, struct } from '../../codec/index.js'
import { pipe, TE, type TaskEither } from '../../fp.js'
import { operationsTeamName } from '../../payloads/identifiers.js'
import type { Ports } from '../../ports/index.js'
import type { OperationsTeam } from '../../ports/operations-teams.js'
import type { PortFailure } from '../../ports/port-failure.js'
import type { OperatorRefusal } from '../errors.js'
import type { OperatorUseCases } from '../operator-signatures.js'
import { checkInput } from './check-input.js'

type TeamPorts = Pick<Ports, 'operationsTeams' | 'clock' | 'settings'>

const input = struct('operations team', { name: required(operationsTeamName) })

export const createTeam =
  (ports: TeamPorts): OperatorUseCases['createTeam'] =>
  (raw) =>
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
    )

export const listTeams =
  ({ operationsTeams }: TeamPorts): OperatorUseCases['listTeams'] =>
  () =>
    operationsTeams.list()

type BoundTeam = TaskEither<OperatorRefusal | PortFailure, OperationsTeam>

const noTeam = (name: string): OperatorRefusal => ({ _tag: 'DoesNotExist', subject: 'operations team', name })

const boundTeam = ({ operationsTeams }: TeamPorts, name: string): BoundTeam =>
  pipe(
    operationsTeams.list(),
    TE.map((teams) => teams.find((team) => team.name === name)),
    TE.flatMap((team): BoundTeam => (team === undefined ? TE.left(noTeam(name)) : TE.right(team))),
  )

export const bindTeam =
  (ports: TeamPorts): OperatorUseCases['bindTeam'] =>
  ({ name, organisation }) =>
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
    )

export const unbindTeam =
  (ports: TeamPorts): OperatorUseCases['unbindTeam'] =>
  ({ name, organisation }) =>
    pipe(
      ports.operationsTeams.unbind(name, organisation),
      TE.flatMap(() => boundTeam(ports, name)),
    )
