import { BrokenCircuitError, CircuitState, ConsecutiveBreaker, circuitBreaker, handleWhen } from 'cockatiel'
import type { GuardLimits } from './guard-limits.js'
import { VendorFailure } from './vendor-failure.js'

/** Stops asking a vendor that fails, so that it can recover and callers are answered at once. */
export type Breaker = Readonly<{
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
