import { E } from '../../fp.js'
import type { Ports } from '../../ports/index.js'
import { portFailure } from '../../ports/port-failure.js'
import { answersOf, refusedBy, retryAfterSeconds } from '../import-refusals.js'
import { forBoth, forRights } from '../lists.js'
import { type AcceptedRequest, type ProcessAnswer, processedElsewhere } from './accept-requests.js'
import { unitsOfWork } from './create-in-units.js'
import {
  type Created,
  createValid,
  isChanged,
  isLarge,
  isRead,
  type Settled,
  type Wanted,
} from './create-valid.js'

const wantedOf =
  ({ platformAccountNumbers, clock }: Ports) =>
  async (accepted: AcceptedRequest): Promise<ProcessAnswer<Wanted>> => {
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

type Settle = (wanted: readonly Wanted[]) => Promise<readonly Settled[]>

/** Creates accounts by single changes of the store; only large data, and data that changes meanwhile, needs a unit of work. */
const createDirectly =
  (ports: Ports, { create, createLarge }: ReturnType<typeof unitsOfWork>): Settle =>
  async (wanted) => {
    const settled = [...(await createValid(ports, ports.accountImports, wanted, 'not_large'))]
    const changed = wanted.filter((_, index) => isChanged(settled[index]))
    const again = (changed.length === 0 ? [] : await create(changed)).values()
    for (const [index, each] of wanted.entries())
      if (isChanged(settled[index])) settled[index] = again.next().value as Settled
      else if (isLarge(settled[index])) settled[index] = await createLarge(each)
    return settled
  }

const answerOf = (
  { creation: { key, platformAccountNumber } }: Wanted,
  { outcome, warnings }: Created,
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
    case 'not_judged': {
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
  const isDryRun = ({ accepted: { request } }: Wanted): boolean => request.dry_run === true
  const isReadNow = ({ accepted }: Wanted): boolean => isRead(ports, accepted.supplier)
  const settle: Settle = (wanted) =>
    forBoth(wanted, isDryRun, units.tryOut, (creations) =>
      forBoth(creations, isReadNow, units.create, direct),
    )
  return async (accepted: readonly AcceptedRequest[]): Promise<readonly ProcessAnswer[]> =>
    forRights(await Promise.all(accepted.map(wantedOf(ports))), async (wanted) => {
      const settled = await settle(wanted)
      const keys = wanted.map(({ creation: { key } }) => ({ key }))
      const outcomes = settled.map((each) => (E.isLeft(each) ? each.left : each.right.outcome))
      return answersOf(ports, keys, outcomes, (_outcome, index, sameData) => {
        const each = settled[index] as Settled
        return E.isLeft(each) ? each : answerOf(wanted[index] as Wanted, each.right, sameData)
      })
    })
}
