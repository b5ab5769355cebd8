import { E } from '../fp.js'
import type { Ports } from '../ports/index.js'
import { plusSeconds } from '../values/instant.js'
import { needsClaim } from './accept-requests.js'
import { retryAfterSeconds } from './import-refusals.js'
import { withOutcomes } from '../lists/lists.js'
import { type At, endedBy, keyOf, type OnItsWay, type Page, refused } from './on-its-way.js'

type ClaimPorts = Pick<Ports, 'accountImports' | 'accounts' | 'clock' | 'secrets' | 'settings'>

/** Takes the claims in a transaction of their own, so that other requests see the accounts in progress. */
const claimed =
  ({ accountImports, clock, secrets, settings }: ClaimPorts) =>
  async (accepted: readonly At<'accepted'>[]): Promise<Page> => {
    const at = clock.now()
    const expiresAt = plusSeconds(at, settings.processingClaimSeconds)
    const withTokens = accepted.map((each) => ({ ...each, token: secrets.generate() }))
    const outcomes = await accountImports.claim(
      withTokens.map((each) => ({
        key: keyOf(each),
        token: each.token,
        at,
        expiresAt,
        countsAsAttempt: each.accepted.request.dry_run !== true,
      })),
      settings.processingConcurrencyLimit,
    )
    // The claims may have been taken. If the release fails too, they expire.
    if (E.isLeft(outcomes))
      await accountImports.release(withTokens.map((each) => ({ key: keyOf(each), token: each.token })))
    return withOutcomes(withTokens, outcomes).map(({ item, outcome }): OnItsWay => {
      switch (outcome._tag) {
        case 'claimed':
          return item
        case 'not_staged':
          return refused(item, { _tag: 'NothingStaged' })
        case 'over_limit':
          return refused(item, { _tag: 'ConcurrencyLimitReached', retryAfterSeconds })
        default:
          return endedBy(item, outcome)
      }
    })
  }

/** Claims accounts, if creation takes time. */
export const claimAccounts = (ports: ClaimPorts): ((accepted: readonly At<'accepted'>[]) => Promise<Page>) =>
  needsClaim(ports) ? claimed(ports) : async (accepted) => accepted
