import type { AccountKey } from '../../domain/account-key.js'
import type { Actor } from '../../domain/audit-entry.js'
import { E, pipe, TE, type TaskEither } from '../../fp.js'
import type { ClaimOutcome, ClaimRelease } from '../../ports/account-imports.js'
import type { Ports } from '../../ports/index.js'
import type { PortFailure, PortResult } from '../../ports/port-failure.js'
import { plusSeconds } from '../../values/instant.js'
import { onlyOutcome } from '../only-outcome.js'
import { processingRefusal, retryAfterSeconds } from '../refusals.js'
import type { ProcessingRefused } from '../signatures.js'

/** The right to create the account, with the data that it is to be created from. */
export type ClaimedAccount = Readonly<{
  key: AccountKey
  token: string
  dryRun: boolean
  /** Who asked for it. */
  by: Actor | undefined
  version: number
  payload: string
}>

const claimed =
  (asked: Pick<ClaimedAccount, 'key' | 'token' | 'dryRun' | 'by'>) =>
  (outcome: ClaimOutcome): TaskEither<ProcessingRefused, ClaimedAccount> => {
    switch (outcome._tag) {
      case 'claimed':
        return TE.right({ ...asked, version: outcome.version, payload: outcome.payload })
      case 'not_staged':
        return TE.left({ _tag: 'NothingStaged' })
      case 'over_limit':
        return TE.left({ _tag: 'ConcurrencyLimitReached', retryAfterSeconds })
      default:
        return TE.left(processingRefusal(outcome, asked.key.externalAccountNumber))
    }
  }

/** When the store fails, the claim may have been taken. It is released; if that fails too, it expires by itself. */
const giveUp =
  (
    accountImports: Ports['accountImports'],
    release: ClaimRelease,
    failure: PortFailure,
  ): PortResult<ClaimOutcome> =>
  async () => {
    await accountImports.release([release])()
    return E.left(failure)
  }

/** Takes the claim in a transaction of its own, so that others see the account in progress. */
export const claimAccount =
  ({
    accountImports,
    clock,
    secrets,
    settings,
  }: Pick<Ports, 'accountImports' | 'clock' | 'secrets' | 'settings'>) =>
  (
    key: AccountKey,
    dryRun: boolean,
    by: Actor | undefined,
  ): TaskEither<ProcessingRefused | PortFailure, ClaimedAccount> => {
    const at = clock.now()
    const token = secrets.generate()
    const expiresAt = plusSeconds(at, settings.processingClaimSeconds)
    return pipe(
      accountImports.claim(
        [{ key, token, at, expiresAt, countsAsAttempt: !dryRun }],
        settings.processingConcurrencyLimit,
      ),
      onlyOutcome,
      TE.orElse((failure) => giveUp(accountImports, { key, token }, failure)),
      TE.flatMap(claimed({ key, token, dryRun, by })),
    )
  }
