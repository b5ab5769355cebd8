import type { Either } from '../../fp.js'
import { pauseAfter } from './pause.js'

/**
 * Tries again, after a pause, what the limit of accounts in processing refused. Ends with that refusal once the signal
 * is aborted.
 */
export const whenASlotIsFree = async <Refused extends Readonly<{ _tag: string }>, A>(
  attempt: () => Promise<Either<Refused, A>>,
  signal: AbortSignal | undefined,
): Promise<Either<Refused, A>> => {
  for (let attempts = 0; ; attempts++) {
    const outcome = await attempt()
    if (outcome._tag === 'Right' || outcome.left._tag !== 'ConcurrencyLimitReached') return outcome
    await pauseAfter(attempts, signal)
    if (signal?.aborted === true) return outcome
  }
}
