import { setTimeout } from 'node:timers/promises'
import type { RetryReason } from '../dialects/sql-dialect.js'
import { retryReasonOf } from './retry-reason.js'

export type Retry = Readonly<{ reason: RetryReason; attempt: number }>

/** Told of every retry, for counters. */
export type OnRetry = (retry: Retry) => void

const maxTries = 5
const maxMilliseconds = 10_000

/** Waits for SQLite's one writer as long as a client may wait; other reasons are retried a few times. */
const mayTryAgain = (reason: RetryReason, attempt: number, since: number): boolean =>
  performance.now() - since < maxMilliseconds && (reason === 'busy' || attempt < maxTries)

/** Random, so that transactions that clashed do not clash again; longer after each try. */
const pause = (attempt: number): number => Math.random() * Math.min(5 * 2 ** attempt, 60)

/** Runs the work again when the database asks for it: at most 5 tries and 10 seconds; then its failure stands. */
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
