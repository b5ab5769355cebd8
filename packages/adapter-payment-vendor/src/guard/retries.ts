import { DelegateBackoff, handleWhen, retry, type RetryPolicy } from 'cockatiel'
import type { GuardLimits } from './guard-limits.js'
import { VendorFailure } from './vendor-failure.js'

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
