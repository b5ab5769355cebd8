import { slots, TooManyWaiting } from '../../concurrency/fair-queue.js'
import { pause } from '../../concurrency/pause.js'
import { E, pipe, TE } from '../../fp.js'
import type { Ports } from '../../ports/index.js'
import type { ProcessingRefused, UseCaseResult } from '../errors.js'
import { retryAfterSeconds } from '../import-refusals.js'
import type { ClaimedAccount } from './claim-account.js'

/** Few enough for the last of them to be created before its claim expires. */
const mostWaiting = 32

type Work<A> = UseCaseResult<ProcessingRefused, A>

/** Lets other requests have their turn between two steps of an account that takes long. */
export const pauseIfLarge =
  ({ payload }: ClaimedAccount) =>
  <A>(value: A): Work<A> =>
    payload === undefined ? TE.fromTask(() => pause(0).then(() => value)) : TE.right(value)

const tooMany: ProcessingRefused = { _tag: 'ConcurrencyLimitReached', retryAfterSeconds }

/**
 * Works with the payload of a claim. Accounts whose payload the claim left out come one after the other, so that memory is needed
 * for one, and organisations take turns; if too many of one organisation wait, more are `ConcurrencyLimitReached`.
 */
export const largeAccountsInTurn = ({ accountImports }: Pick<Ports, 'accountImports'>) => {
  const turns = slots(1, mostWaiting)
  return <A>(claim: ClaimedAccount, work: (payload: string) => Work<A>): Work<A> => {
    const { key, version, payload } = claim
    if (payload !== undefined) return work(payload)
    const readAndWork = pipe(
      accountImports.staged(key),
      TE.flatMap((staged): Work<A> =>
        staged?.version === version
          ? work(staged.payload)
          : TE.left({ _tag: 'ClaimLost', key, retryAfterSeconds }),
      ),
    )
    return async () => {
      try {
        return await turns.run(key.organisation, new AbortController().signal, readAndWork)
      } catch (cause) {
        if (cause instanceof TooManyWaiting) return E.left(tooMany)
        throw cause
      }
    }
  }
}
