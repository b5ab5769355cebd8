import type { Either } from '../../fp.js'
import { withinTime } from '../../provided/within-time.js'

const firstMilliseconds = 50
const longestMilliseconds = 1000

/** Twice as long each time, and never the same for two who wait. */
const pauseBefore = (attempt: number): number =>
  Math.min(longestMilliseconds, firstMilliseconds * 2 ** attempt) * (0.5 + Math.random())

const pause = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  withinTime(
    milliseconds,
    () => new Promise<void>(() => undefined),
    () => undefined,
    signal,
  )

/**
 * Tries again, after a pause, what the limit of accounts in processing refused. Ends with that refusal once the signal
 * is aborted.
 */
export const whenASlotIsFree = async <Refused extends Readonly<{ _tag: string }>, A>(
  attempt: () => Promise<Either<Refused, A>>,
  signal: AbortSignal | undefined,
): Promise<Either<Refused, A>> => {
  for (let tries = 0; ; tries++) {
    const outcome = await attempt()
    if (outcome._tag === 'Right' || outcome.left._tag !== 'ConcurrencyLimitReached') return outcome
    await pause(pauseBefore(tries), signal)
    if (signal?.aborted === true) return outcome
  }
}
