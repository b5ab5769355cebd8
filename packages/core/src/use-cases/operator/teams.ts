import { required, struct } from '../../codec/index.js'
import { pipe, TE, type TaskEither } from '../../fp.js'
import { operationsTeamName } from '../../payloads/identifiers.js'
import type { Ports } from '../../ports/index.js'
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
