import type { ClaimRequest, Staging } from '@account-import/core'
import { inBatches } from '@account-import/core/adapter-kit'
import { isAway } from '../failures/failure-kind.js'
import type { Session } from '../session/session.js'
import type { Joined } from './account-imports.js'
import { claimOneByOne, claimTogether } from './claim.js'
import { nextClaims } from './next-claims.js'
import { nextStagings } from './next-stagings.js'
import { stageDirectly } from './stage.js'

/**
 * Lets stagings, and claims, that wait at the same time go to the database together. A claim under a limit goes alone:
 * the slots decide, one after the other.
 */
export const joinedImports = (session: Session, parallelStagingBatches: number | undefined): Joined => {
  const { parallelBatches } = session.dialect
  const stage = inBatches((stagings: readonly Staging[]) => stageDirectly(session, stagings), {
    parallel: parallelStagingBatches ?? parallelBatches,
    next: nextStagings,
    isAway,
    onBatch: (size) => session.onBatch?.({ work: 'stage', size }),
  })
  const claim = inBatches((requests: readonly ClaimRequest[]) => claimTogether(session, requests), {
    parallel: parallelBatches,
    next: nextClaims,
    isAway,
    onBatch: (size) => session.onBatch?.({ work: 'claim', size }),
  })
  return {
    stage: (stagings) => Promise.all(stagings.map(stage)),
    claim: (requests, limit) =>
      limit === undefined ? Promise.all(requests.map(claim)) : claimOneByOne(session, requests, limit),
  }
}
