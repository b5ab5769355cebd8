import type { Either } from '../../fp.js'
import { pauseAfter } from './pause.js'

const isOverLimit = (outcome: Either<Readonly<{ _tag: string }>, unknown>): boolean =>
  outcome._tag === 'Left' && outcome.left._tag === 'ConcurrencyLimitReached'

/**
 * Tries again, after a pause, what the limit of accounts in processing refused. Ends with that refusal once the signal
 * is aborted.
 */
export const whenASlotIsFree = async <Refused extends Readonly<{ _tag: string }>, A>(
  attempt: () => Promise<Either<Refused, A>>,
  signal: AbortSignal | undefined,
): Promise<Either<Refused, A>> => {
  let outcome = await attempt()
  for (let attempts = 0; isOverLimit(outcome); attempts++) {
    await pauseAfter(attempts, signal)
    if (signal?.aborted === true) break
    outcome = await attempt()
  }
  return outcome
}
