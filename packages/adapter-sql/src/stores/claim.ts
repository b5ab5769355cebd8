import type { ClaimOutcome, ClaimRequest } from '@account-import/core'
import type { Session } from '../session/session.js'
import { compareKeys } from '../statements/import-keys.js'
import { claimOutcomes } from './claim-outcomes.js'
import { hasFreeSlot, takeSlot } from './processing-slots.js'
import { isClaimable, takeImports } from './take-imports.js'

/**
 * Takes claims that go together (`nextClaims`), without a limit. Needs no transaction: once taken, nothing changes under
 * a claim, and when the two statements are run again the imports are still ours by their tokens.
 */
export const claimTogether = async (
  session: Session,
  requests: readonly ClaimRequest[],
): Promise<readonly ClaimOutcome[]> => {
  const [first, ...others] = requests
  if (first === undefined) return []
  return session.query(async (db) => {
    await takeImports(db, session.dialect, [first, ...others], false)
    return claimOutcomes(db, session.dataKeys, [first, ...others])
  })
}

/**
 * Locks the import first and then the slot, and takes the claim when it has both: who finds no slot changes nothing. All
 * transactions lock both in this order, so that none deadlock.
 */
const claimWithSlot = (session: Session, request: ClaimRequest, limit: number): Promise<ClaimOutcome> =>
  session.transaction(async (db) => {
    const { dialect } = session
    if (await isClaimable(db, dialect, request)) {
      if (!(await takeSlot(db, dialect, request, limit))) return { _tag: 'over_limit' }
      await takeImports(db, dialect, [request], true)
    }
    const [outcome] = await claimOutcomes(db, session.dataKeys, [request])
    return outcome as ClaimOutcome
  })

const maxTries = 3

/**
 * Rows for slots are made when a claim first finds none free. As long as some of them are missing, the limit is not
 * reached: they are made, and the claim is tried again.
 */
const claimWithinLimit = async (
  session: Session,
  request: ClaimRequest,
  limit: number,
): Promise<ClaimOutcome> => {
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await claimWithSlot(session, request, limit)
    if (outcome._tag !== 'over_limit' || attempt === maxTries) return outcome
    if (!(await session.query((db) => hasFreeSlot(db, session.dialect, request, limit)))) return outcome
  }
}

/** Takes the claims one after the other, in the order of their keys, each for itself. */
export const claimOneByOne = async (
  session: Session,
  requests: readonly ClaimRequest[],
  limit: number | undefined,
): Promise<readonly ClaimOutcome[]> => {
  const outcomes = new Map<ClaimRequest, ClaimOutcome>()
  for (const request of [...requests].sort((a, b) => compareKeys(a.key, b.key))) {
    const outcome =
      limit === undefined
        ? (await claimTogether(session, [request]))[0]
        : await claimWithinLimit(session, request, limit)
    outcomes.set(request, outcome as ClaimOutcome)
  }
  return requests.map((request) => outcomes.get(request) as ClaimOutcome)
}
