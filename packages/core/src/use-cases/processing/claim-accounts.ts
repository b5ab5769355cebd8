import type { ErrorCode } from '../../catalogue/index.js'
import { E } from '../../fp.js'
import type { ClaimOutcome, ClaimRelease } from '../../ports/account-imports.js'
import type { Ports } from '../../ports/index.js'
import { noOutcome, type PortFailure } from '../../ports/port-failure.js'
import { plusSeconds } from '../../values/instant.js'
import type { ProcessingRefused } from '../errors.js'
import { retryAfterSeconds } from '../import-refusals.js'
import { type AcceptedRequest, type ProcessAnswer, refusedByImport } from './accept-requests.js'

type ClaimPorts = Pick<Ports, 'accountImports' | 'accounts' | 'clock' | 'secrets' | 'settings'>

/**
 * Whether creation takes time, so that others must see the account in progress: a platform does something of its own at each
 * creation, or accounts in processing are limited. Otherwise creation is one statement.
 */
export const needsClaim = ({ accounts, settings }: Pick<Ports, 'accounts' | 'settings'>): boolean =>
  accounts.create !== undefined || settings.processingConcurrencyLimit !== undefined

type Claimed = AcceptedRequest & Readonly<{ token: string }>

const claimedOf = async (
  ports: ClaimPorts,
  asked: Claimed,
  outcome: ClaimOutcome | undefined,
): Promise<ProcessAnswer<AcceptedRequest>> => {
  if (outcome === undefined) return E.left(noOutcome())
  switch (outcome._tag) {
    case 'claimed':
      return E.right(asked)
    case 'not_staged':
      return E.left({ _tag: 'NothingStaged' })
    case 'over_limit':
      return E.left({ _tag: 'ConcurrencyLimitReached', retryAfterSeconds })
    default:
      return refusedByImport(ports, asked.key, outcome)
  }
}

/** Takes the claims in a transaction of their own, so that other requests see the accounts in progress. */
export const claimAccounts =
  (ports: ClaimPorts) =>
  async (accepted: readonly AcceptedRequest[]): Promise<readonly ProcessAnswer<AcceptedRequest>[]> => {
    const { accountImports, clock, secrets, settings } = ports
    const at = clock.now()
    const asked = accepted.map((each): Claimed => ({ ...each, token: secrets.generate() }))
    const claims = asked.map(({ key, token, request }) => ({
      key,
      token,
      at,
      expiresAt: plusSeconds(at, settings.processingClaimSeconds),
      countsAsAttempt: request.dry_run !== true,
    }))
    const outcomes = await accountImports.claim(claims, settings.processingConcurrencyLimit)()
    if (E.isRight(outcomes))
      return Promise.all(asked.map((each, index) => claimedOf(ports, each, outcomes.right[index])))
    // The claims may have been taken. If the release fails too, they expire.
    await accountImports.release(claims.map(({ key, token }) => ({ key, token })))()
    return asked.map(() => outcomes)
  }

/** The code that is stored on the import for a failed attempt. */
const codeOf = (failure: ProcessingRefused | PortFailure): ErrorCode => {
  if (failure._tag === 'AccountFailedValidation') return 'account_failed_validation'
  return failure._tag === 'PortFailure' && failure.kind === 'unavailable' ? 'service_unavailable' : 'error'
}

/** Whether the answer is the end of an attempt to create the account, not a refusal to begin one. */
const isFailedAttempt = (failure: ProcessingRefused | PortFailure): boolean =>
  failure._tag === 'AccountFailedValidation' || failure._tag === 'PortFailure'

/**
 * Ends the claims of accounts that were not created, so that they can be tried again at once, and stores why, except in a dry run.
 * If the release fails, the claims expire: the answers stay, as the same requests may be sent again.
 */
export const releaseClaims =
  ({ accountImports, clock }: Pick<Ports, 'accountImports' | 'clock'>) =>
  async (
    ready: readonly ProcessAnswer<AcceptedRequest>[],
    created: readonly ProcessAnswer<unknown>[],
  ): Promise<void> => {
    const at = clock.now()
    const releases = ready.flatMap((each, index): readonly ClaimRelease[] => {
      const answer = created[index]
      if (E.isLeft(each) || answer === undefined || E.isRight(answer)) return []
      const { key, token, by, request } = each.right
      if (token === undefined && (request.dry_run === true || !isFailedAttempt(answer.left))) return []
      return [
        { key, token, by, ...(request.dry_run !== true && { failure: { code: codeOf(answer.left), at } }) },
      ]
    })
    if (releases.length > 0) await accountImports.release(releases)()
  }
