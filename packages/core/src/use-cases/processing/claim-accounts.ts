import { E } from '../../fp.js'
import type { ClaimOutcome } from '../../ports/account-imports.js'
import type { Ports } from '../../ports/index.js'
import { plusSeconds } from '../../values/instant.js'
import { answersOf, refusedBy, retryAfterSeconds } from '../import-refusals.js'
import { mapRights } from '../lists.js'
import { type AcceptedRequest, type ProcessAnswer, processedElsewhere } from './accept-requests.js'

type ClaimPorts = Pick<Ports, 'accountImports' | 'accounts' | 'clock' | 'secrets' | 'settings'>

type Work = (accepted: readonly AcceptedRequest[]) => Promise<readonly ProcessAnswer[]>

/**
 * Whether creation takes time, so that others must see the account in progress: a platform does something of its own at each
 * creation, or accounts in processing are limited. Otherwise creation is one statement.
 */
export const needsClaim = ({ accounts, settings }: Pick<Ports, 'accounts' | 'settings'>): boolean =>
  accounts.create !== undefined || settings.processingConcurrencyLimit !== undefined

const claimedOf = (
  asked: AcceptedRequest,
  outcome: ClaimOutcome,
  sameData: boolean | undefined,
): ProcessAnswer<AcceptedRequest> => {
  switch (outcome._tag) {
    case 'claimed':
      return E.right(asked)
    case 'not_staged':
      return E.left({ _tag: 'NothingStaged' })
    case 'over_limit':
      return E.left({ _tag: 'ConcurrencyLimitReached', retryAfterSeconds })
    case 'already_imported':
    case 'in_progress':
    case 'marked_to_skip':
      return refusedBy(outcome, asked.key, sameData, processedElsewhere)
  }
}

/** Takes the claims in a transaction of their own, so that other requests see the accounts in progress. */
const claim =
  (ports: ClaimPorts) =>
  async (accepted: readonly AcceptedRequest[]): Promise<readonly ProcessAnswer<AcceptedRequest>[]> => {
    const { accountImports, clock, secrets, settings } = ports
    const at = clock.now()
    const expiresAt = plusSeconds(at, settings.processingClaimSeconds)
    const asked = accepted.map((each) => ({ ...each, token: secrets.generate() }))
    const claims = asked.map(({ key, token, request }) => ({
      key,
      token,
      at,
      expiresAt,
      countsAsAttempt: request.dry_run !== true,
    }))
    const outcomes = await accountImports.claim(claims, settings.processingConcurrencyLimit)
    if (E.isRight(outcomes))
      return answersOf(ports, claims, outcomes.right, (outcome, index, sameData) =>
        claimedOf(asked[index] as AcceptedRequest, outcome, sameData),
      )
    // The claims may have been taken. If the release fails too, they expire.
    await accountImports.release(claims.map(({ key, token }) => ({ key, token })))
    return asked.map(() => outcomes)
  }

/** The work under claims, if creation takes time; else the work itself. */
export const withClaims = (ports: ClaimPorts, work: Work): Work => {
  if (!needsClaim(ports)) return work
  const take = claim(ports)
  return async (accepted) => mapRights(await take(accepted), work)
}
