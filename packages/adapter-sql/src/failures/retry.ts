import { setTimeout } from 'node:timers/promises'
import type { RetryReason } from '../dialects/sql-dialect.js'
import { retryReasonOf } from './retry-reason.js'

export type Retry = Readonly<{ reason: RetryReason; attempt: number }>

/** Told of every retry, for counters. */
export type OnRetry = (retry: Retry) => void

/**
 * SQLite's one writer is waited for as long as a client may wait. Who lost against somebody on another node of a cluster may lose
 * many times where several write to one account: each time somebody else is done. What is away is not asked often.
 */
const maxTries: Readonly<Record<RetryReason, number>> = {
  busy: Infinity,
  deadlock: 25,
  certification: 5,
  lock_wait: 5,
  read_only: 5,
}
const maxMilliseconds = 10_000

const mayTryAgain = (reason: RetryReason, attempt: number, since: number): boolean =>
  performance.now() - since < maxMilliseconds && attempt < maxTries[reason]

/** Random, so that transactions that clashed do not clash again; longer after each try. */
const pause = (attempt: number): number => Math.random() * Math.min(5 * 2 ** attempt, 250)

/** Runs the work again when the database asks for it: at most 25 tries, for most reasons 5, and 10 seconds; then its failure stands. */
export const withRetries = async <A>(work: () => Promise<A>, onRetry: OnRetry): Promise<A> => {
  const since = performance.now()
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (cause) {
      const reason = retryReasonOf(cause)
      if (reason === undefined || !mayTryAgain(reason, attempt, since)) throw cause
      onRetry({ reason, attempt })
      await setTimeout(pause(attempt))
    }
  }
}
