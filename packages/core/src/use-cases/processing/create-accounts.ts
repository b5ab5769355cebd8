import { E } from '../../fp.js'
import type { Ports } from '../../ports/index.js'
import { portFailure } from '../../ports/port-failure.js'
import { answersOf, refusedBy, retryAfterSeconds } from '../import-refusals.js'
import { mapByCondition, mapRights } from '../lists.js'
import { type AcceptedRequest, type ProcessAnswer, processedElsewhere } from './accept-requests.js'
import { unitsOfWork } from './create-in-units.js'
import {
  type StoreOutcome,
  createValidated,
  isChanged,
  isLarge,
  needsDetails,
  type CreationResult,
  type PlannedCreation,
} from './create-validated.js'

const plannedOf =
  ({ platformAccountNumbers, clock }: Ports) =>
  async (accepted: AcceptedRequest): Promise<ProcessAnswer<PlannedCreation>> => {
    const number = await platformAccountNumbers.next()
    if (E.isLeft(number)) return number
    const { key, request, by, importRun, token } = accepted
    const creation = {
      key,
      platformAccountNumber: number.right,
      operationsTeam: request.operations_team_name,
      at: clock.now(),
      by,
      importRun,
      token,
    }
    return E.right({ accepted, creation })
  }

type CreateAll = (planned: readonly PlannedCreation[]) => Promise<readonly CreationResult[]>

/** Creates accounts by single changes of the store; only large data, and data that changes meanwhile, needs a unit of work. */
const createDirectly =
  (ports: Ports, { create, createLarge }: ReturnType<typeof unitsOfWork>): CreateAll =>
  async (planned) => {
    const results = [...(await createValidated(ports, ports.accountImports, planned, 'skip'))]
    const changed = planned.filter((_, index) => isChanged(results[index]))
    const again = (changed.length === 0 ? [] : await create(changed)).values()
    for (const [index, each] of planned.entries())
      if (isChanged(results[index])) results[index] = again.next().value as CreationResult
      else if (isLarge(results[index])) results[index] = await createLarge(each)
    return results
  }

const answerOf = (
  { creation: { key, platformAccountNumber } }: PlannedCreation,
  { outcome, warnings }: StoreOutcome,
  sameData: boolean | undefined,
): ProcessAnswer => {
  switch (outcome._tag) {
    case 'created':
      return E.right({ platformAccountNumber, warnings })
    case 'failed':
      return E.left(outcome.failure)
    case 'not_staged':
      return E.left({ _tag: 'NothingStaged' })
    case 'claim_lost':
      return E.left({ _tag: 'ClaimLost', key, retryAfterSeconds })
    case 'needs_validation': {
      const cause = new Error('staged data changed in a unit of work')
      return E.left(portFailure('unexpected', 'accountImports', 'create', cause))
    }
    case 'already_imported':
    case 'in_progress':
    case 'marked_to_skip':
      return refusedBy(outcome, key, sameData, processedElsewhere)
  }
}

/**
 * Creates accounts from their staged data: by single changes of the store, or in units of work where somebody reads the account. A
 * dry run stores nothing, and no e-mail. One answer for each, in their order.
 */
export const createAccounts = (ports: Ports) => {
  const units = unitsOfWork(ports)
  const direct = createDirectly(ports, units)
  const isDryRun = ({ accepted: { request } }: PlannedCreation): boolean => request.dry_run === true
  const hasReader = ({ accepted }: PlannedCreation): boolean => needsDetails(ports, accepted.supplier)
  const createAll: CreateAll = (planned) =>
    mapByCondition(planned, isDryRun, units.tryOut, (creations) =>
      mapByCondition(creations, hasReader, units.create, direct),
    )
  return async (accepted: readonly AcceptedRequest[]): Promise<readonly ProcessAnswer[]> =>
    mapRights(await Promise.all(accepted.map(plannedOf(ports))), async (planned) => {
      const results = await createAll(planned)
      const keys = planned.map(({ creation: { key } }) => ({ key }))
      const outcomes = results.map((each) => (E.isLeft(each) ? each.left : each.right.outcome))
      return answersOf(ports, keys, outcomes, (_outcome, index, sameData) => {
        const each = results[index] as CreationResult
        return E.isLeft(each) ? each : answerOf(planned[index] as PlannedCreation, each.right, sameData)
      })
    })
}
