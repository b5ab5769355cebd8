import { TE } from '../../fp.js'
import { operationsTeamName } from '../../payloads/identifiers.js'
import type { Ports } from '../../ports/index.js'
import type { PortResult } from '../../ports/port-failure.js'
import type { Submission } from '../signatures.js'
import { readField } from '../../validation/check.js'

/** Whether the team that a payload names, which is not checked yet, is there for the organisation; false for a name that cannot be read. */
export const teamExists =
  ({ operationsTeams }: Pick<Ports, 'operationsTeams'>) =>
  ({ organisation, payload }: Pick<Submission, 'organisation' | 'payload'>): PortResult<boolean> => {
    const name = readField(operationsTeamName, payload, 'operations_team_name')
    return name === undefined ? TE.right(false) : operationsTeams.exists(name, organisation)
  }
