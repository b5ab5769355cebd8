import { E } from '../../fp.js'
import type { ClaimOutcome } from '../../ports/account-imports.js'
import type { Ports } from '../../ports/index.js'
import { plusSeconds } from '../../values/instant.js'
import type { ProcessingRefused } from '../errors.js'
import { answersOf, retryAfterSeconds } from '../import-refusals.js'
import { forRights } from '../lists.js'
import { type AcceptedRequest, type ProcessAnswer, refusedByImport } from './accept-requests.js'
import { fairTurns } from './fair-turns.js'

type ClaimPorts = Pick<Ports, 'accountImports' | 'accounts' | 'clock' | 'secrets' | 'settings'>

type Work = (accepted: readonly AcceptedRequest[]) => Promise<readonly ProcessAnswer[]>

/**
 * Whether creation takes time, so that others must see the account in progress: a platform does something of its own at each
 * creation, or accounts in processing are limited. Otherwise creation is one statement.
 */
export const needsClaim = ({ accounts, settings }: Pick<Ports, 'accounts' | 'settings'>): boolean =>
  accounts.create !== undefined || settings.processingConcurrencyLimit !== undefined

const limitReached: ProcessAnswer<never> = E.left<ProcessingRefused>({
  _tag: 'ConcurrencyLimitReached',
  retryAfterSeconds,
})

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
      return limitReached
    case 'already_imported':
    case 'in_progress':
    case 'marked_to_skip':
      return refusedByImport(outcome, asked.key, sameData)
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
    const outcomes = await accountImports.claim(claims, settings.processingConcurrencyLimit)()
    if (E.isRight(outcomes))
      return answersOf(ports, claims, outcomes.right, (outcome, index, sameData) =>
        claimedOf(asked[index] as AcceptedRequest, outcome, sameData),
      )
    // The claims may have been taken. If the release fails too, they expire.
    await accountImports.release(claims.map(({ key, token }) => ({ key, token })))()
    return asked.map(() => outcomes)
  }

/** Does the work for claimed accounts. */
const underClaims = (ports: ClaimPorts, work: Work): Work => {
  const take = claim(ports)
  return async (accepted) => forRights(await take(accepted), work)
}

/** Claims as many accounts as there are places for, and does the work for them; organisations take turns. */
const inTurns = (ports: ClaimPorts, places: number, work: Work): Work => {
  const take = claim(ports)
  const turns = fairTurns(places, ports.clock)
  const claimInTurn = async (accepted: readonly AcceptedRequest[]) => {
    const claimed = await take(accepted)
    for (const [index, { key }] of accepted.entries()) {
      const answer = claimed[index]
      if (answer !== undefined && E.isRight(answer)) turns.served(key.organisation)
      else if (answer?.left._tag === 'ConcurrencyLimitReached') turns.refused(key.organisation)
    }
    return forRights(claimed, work)
  }
  return async (accepted) => {
    const begun = accepted.map((each): ProcessAnswer<AcceptedRequest> => {
      const { organisation } = each.key
      if (turns.mustWait(organisation)) {
        turns.refused(organisation)
        return limitReached
      }
      turns.begun(organisation)
      return E.right(each)
    })
    try {
      return await forRights(begun, claimInTurn)
    } finally {
      for (const each of begun) if (E.isRight(each)) turns.ended(each.right.key.organisation)
    }
  }
}

/** The work under claims, if creation takes time; else the work itself. */
export const claimAccounts = (ports: ClaimPorts, work: Work): Work => {
  const limit = ports.settings.processingConcurrencyLimit
  if (limit !== undefined) return inTurns(ports, limit, work)
  return needsClaim(ports) ? underClaims(ports, work) : work
}
