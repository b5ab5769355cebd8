import { slots } from '@account-import/core/adapter-kit'
import {
  BrokenCircuitError,
  BulkheadRejectedError,
  circuitBreaker,
  CircuitState,
  ConsecutiveBreaker,
  DelegateBackoff,
  handleWhen,
  retry,
  type RetryPolicy,
} from 'cockatiel'
import { VendorFailure } from './vendor-failure.js'

/** How long and how often a vendor is asked. Times are whole milliseconds. */
export type GuardLimits = Readonly<{
  /** One try, from the look-up of its name to the last byte; 2200 when absent. */
  tryMilliseconds: number
  /** All tries and the pauses between them; 4500 when absent. */
  callMilliseconds: number
  /** Most tries of one call; 3 when absent. */
  tries: number
  /** Most tries at one time; others queue as long as there is time for a whole try; 64 when absent. */
  concurrentTries: number
  /** Most calls of one organisation that queue; 256 when absent. */
  mostWaiting: number
  /** The first pause is at most about this long, later ones longer; 150 when absent. */
  pauseMilliseconds: number
  /** The breaker opens after so many tries in a row without connection or in time, or with a 5xx; 5 when absent. */
  breakAfter: number
  /** How long the open breaker lets nobody through; then one call may try. 10 000 when absent. */
  openMilliseconds: number
}>

export const defaultGuardLimits: GuardLimits = {
  tryMilliseconds: 2200,
  callMilliseconds: 4500,
  tries: 3,
  concurrentTries: 64,
  mostWaiting: 256,
  pauseMilliseconds: 150,
  breakAfter: 5,
  openMilliseconds: 10_000,
}

/** Lets so many tries run at one time; the others queue, and their organisations take turns. */
type Queue = Readonly<{
  /**
   * Runs the try of a call that began at `since` (of `performance.now()`) once a slot is free. Rejects with a
   * `BulkheadRejectedError` when none has become free while there was time for a whole try, or when too many calls of the
   * organisation wait already.
   */
  run<A>(organisation: string, attempt: () => Promise<A>, since: number, call: AbortSignal): Promise<A>
}>

export const createQueue = (limits: GuardLimits): Queue => {
  const { concurrentTries, mostWaiting, callMilliseconds, tryMilliseconds } = limits
  const free = slots(concurrentTries, mostWaiting)
  return {
    run: async (organisation, attempt, since, call) => {
      const left = callMilliseconds - tryMilliseconds - (performance.now() - since)
      const noTime = AbortSignal.timeout(Math.max(0, Math.floor(left)))
      let hasBegun = false
      try {
        return await free.run(organisation, AbortSignal.any([call, noTime]), () => {
          hasBegun = true
          return attempt()
        })
      } catch (cause) {
        throw hasBegun ? cause : new BulkheadRejectedError(concurrentTries, 0)
      }
    },
  }
}

/** Stops asking a vendor that fails, so that it can recover and callers are answered at once. */
type Breaker = Readonly<{
  /** Runs the try, or rejects at once with a `BrokenCircuitError` while open or while another call finds out. */
  run<A>(attempt: () => Promise<A>): Promise<A>
  /** Milliseconds until a call may try again; 0 when it may now. */
  remaining(): number
}>

/** Opens after so many failures of the vendor in a row; whatever else a try rejects with opens nothing. */
export const createBreaker = ({ breakAfter, openMilliseconds }: GuardLimits): Breaker => {
  const policy = circuitBreaker(
    handleWhen((cause) => cause instanceof VendorFailure && cause.isOfVendor),
    { halfOpenAfter: openMilliseconds, breaker: new ConsecutiveBreaker(breakAfter) },
  )
  let openedAt = 0
  policy.onBreak(() => {
    openedAt = performance.now()
  })
  return {
    run: async (attempt) => {
      // Cockatiel lets further calls wait for the one that tries; they are to be answered at once.
      if (policy.state === CircuitState.HalfOpen) throw new BrokenCircuitError()
      return policy.execute(attempt)
    },
    remaining: () =>
      policy.state === CircuitState.Open ? Math.max(0, openedAt + openMilliseconds - performance.now()) : 0,
  }
}

/** Doubles from try to try, with half of it left to chance, and waits at least as long as the vendor asks for. */
const pauseBefore = (attempt: number, cause: unknown, firstMilliseconds: number): number => {
  const most = firstMilliseconds * 2 ** (attempt - 1)
  const asked = cause instanceof VendorFailure ? (cause.retryAfterSeconds ?? 0) * 1000 : 0
  return Math.max(asked, most / 2 + (Math.random() * most) / 2)
}

/** Tries again after failures that may pass. Every call only reads, so that a lost answer does no harm. */
export const createRetries = ({ tries, pauseMilliseconds }: GuardLimits): RetryPolicy =>
  retry(
    handleWhen((cause) => cause instanceof VendorFailure && cause.isWorthAnotherTry),
    {
      maxAttempts: tries - 1,
      backoff: new DelegateBackoff(({ attempt, result }) =>
        pauseBefore(attempt, 'error' in result ? result.error : undefined, pauseMilliseconds),
      ),
    },
  )
