import type { Either } from '../../fp.js'
import type { PortFailure } from '../../ports/port-failure.js'
import { pause } from '../../concurrency/pause.js'

/** Why a line of a stream is no JSON value, as whoever reads the stream finds. */
export type LineUnreadable =
  | Readonly<{ _tag: 'NotUtf8' | 'NotJson' | 'PayloadTooDeep' }>
  | Readonly<{ _tag: 'PayloadTooLarge'; limitBytes: number; wrong?: 'ratio' | 'blank_lines' }>

/**
 * The outcome of one account. `line`: of the line that it came in, or the ordinal of the result where there are no
 * lines. The number is undefined where it cannot be read.
 */
export type BulkResult<Refused, A> = Readonly<{
  line: number
  externalAccountNumber: string | undefined
  outcome: Either<Refused | PortFailure, A>
}>

/** Results in order, all that are ready together. */
export type BulkResults<Refused, A> = AsyncIterable<readonly BulkResult<Refused, A>[]>

const firstMilliseconds = 50
const longestMilliseconds = 1000

/**
 * Waits before the next attempt, about twice as long each time up to a second, and never the same for two who wait. Ends
 * at once when the signal is aborted.
 */
export const pauseAfter = (attempts: number, signal: AbortSignal | undefined): Promise<void> =>
  pause(Math.min(longestMilliseconds, firstMilliseconds * 2 ** attempts) * (0.5 + Math.random()), signal)

/** A whole window may fail because of one short outage; a second window of failures is a longer one. */
const most = 256

type Tagged = Readonly<{ _tag: string }>

const isPortFailure = (refusal: Tagged): refusal is PortFailure => refusal._tag === 'PortFailure'

const outageIn = <Refused extends Tagged, A>({ outcome }: BulkResult<Refused, A>): PortFailure | undefined =>
  outcome._tag === 'Left' && isPortFailure(outcome.left) && outcome.left.kind === 'unavailable'
    ? outcome.left
    : undefined

/**
 * To be told of results that were given. After 256 in a row that failed because something was out of reach, it throws that failure:
 * what is left is better sent again later than burned through.
 */
export const outageLimit = (): ((results: readonly BulkResult<Tagged, unknown>[]) => void) => {
  let inARow = 0
  return (results) => {
    for (const result of results) {
      const outage = outageIn(result)
      inARow = outage === undefined ? 0 : inARow + 1
      if (inARow >= most) throw outage
    }
  }
}

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
