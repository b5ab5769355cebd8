import { setTimeout } from 'node:timers/promises'
import { type AsyncOperations, type PortFailure, portOf } from '@account-import/core'
import { backoff } from '@account-import/core/adapter-kit'
import { dialects } from '../dialects/dialects.js'
import type { RetryReason } from '../dialects/sql-dialect.js'
import { DatabaseError } from '../drivers/database-error.js'
import { KeyRingError } from './crypto.js'

/**
 * An insert met a unique key although the account is locked: row locks do not reach the other nodes of a cluster, and another
 * node wrote the same items first. A retry then sees the rows of the other node.
 */
export class LostRace extends Error {
  override readonly name = 'LostRace'

  constructor() {
    super('another node of the cluster wrote the same places first')
  }
}

/** The reason to run the work again; undefined when a retry would fail too. */
export const retryReasonOf = (cause: unknown): RetryReason | undefined => {
  if (cause instanceof LostRace) return 'deadlock'
  if (!(cause instanceof DatabaseError)) return undefined
  return dialects.map(({ errors }) => errors.retryReasonOf(cause)).find((reason) => reason !== undefined)
}

/** Runs an insert. Returns `otherwise` when a row with the same key exists. */
export const unlessDuplicate = async <A, B>(insert: () => Promise<A>, otherwise: B): Promise<A | B> => {
  try {
    return await insert()
  } catch (cause) {
    if (cause instanceof DatabaseError && dialects.some(({ errors }) => errors.isDuplicate(cause)))
      return otherwise
    throw cause
  }
}

/** Error codes of the operating system for an unreachable server; `ENOENT`: the socket file is missing. */
const networkCodes: ReadonlySet<string | undefined> = new Set(
  'ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ETIMEDOUT ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH ENOENT'.split(
    ' ',
  ),
)

const isUnavailable = (error: DatabaseError): boolean =>
  networkCodes.has(error.code) || dialects.some(({ errors }) => errors.isUnavailable(error))

/** Whether the statement is larger than the database ever takes, so that a later try fails too. */
export const isTooLarge = (cause: unknown): cause is DatabaseError =>
  cause instanceof DatabaseError && dialects.some(({ errors }) => errors.isTooLarge(cause))

/** Whether a value is NULL in a column that takes none. */
export const isNull = (cause: unknown): boolean =>
  cause instanceof DatabaseError && dialects.some(({ errors }) => errors.isNull(cause))

/** A failure that is still retryable after all tries is `unavailable`: it may succeed later. */
export const failureKind = (cause: unknown): PortFailure['kind'] => {
  if (retryReasonOf(cause) !== undefined) return 'unavailable'
  if (cause instanceof KeyRingError) return cause.kind
  if (isTooLarge(cause)) return 'unexpected'
  if (cause instanceof DatabaseError) return isUnavailable(cause) ? 'unavailable' : 'unexpected'
  return cause instanceof Error && cause.name.endsWith('TimeoutError') ? 'unavailable' : 'unexpected'
}

/** Reasons that concern the locked rows of one statement, not the whole database. */
const ofSomeRows: ReadonlySet<RetryReason | undefined> = new Set(['deadlock', 'lock_wait'])

/**
 * Whether the whole database is unavailable, so that an immediate retry fails for all callers. False for a locked row, and for a
 * missing key that only one row needs.
 */
export const isAway = (cause: unknown): boolean =>
  failureKind(cause) === 'unavailable' &&
  !ofSomeRows.has(retryReasonOf(cause)) &&
  !(cause instanceof KeyRingError)

/** Called for every retry, for counters. */
export type OnRetry = (retry: Readonly<{ reason: RetryReason; attempt: number }>) => void

/**
 * Only time limits `busy`, `deadlock` and `lock_wait`: a caller waits for SQLite's one writer or a locked row, and a transaction may conflict with other nodes
 * of a cluster many times while several write to one account. An unavailable database gets few tries.
 */
const maxTries: Readonly<Record<RetryReason, number>> = {
  busy: Infinity,
  deadlock: Infinity,
  certification: 5,
  lock_wait: Infinity,
  read_only: 5,
}
const maxMilliseconds = 10_000

const mayTryAgain = (reason: RetryReason, attempt: number, since: number, lockWaits: number): boolean =>
  performance.now() - since < maxMilliseconds &&
  attempt < (reason === 'lock_wait' ? lockWaits : maxTries[reason])

/** Milliseconds: all random, so that conflicting transactions do not conflict again. */
const retryPause = { first: 10, longest: 250, jitter: 1 }

/**
 * Runs the work again after a retryable failure, for at most 10 seconds and, for most reasons, 5 times; then throws the failure.
 * `lockWaits`: the tries that may wait for a locked row, for a second each.
 */
export const withRetries = async <A>(
  work: () => Promise<A>,
  onRetry: OnRetry,
  lockWaits = maxTries.lock_wait,
): Promise<A> => {
  const since = performance.now()
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (cause) {
      const reason = retryReasonOf(cause)
      if (reason === undefined || !mayTryAgain(reason, attempt, since, lockWaits)) throw cause
      onRetry({ reason, attempt })
      await setTimeout(backoff(attempt, retryPause))
    }
  }
}

/** Makes a port of async functions: an error that one of them throws becomes a `PortFailure`. */
export const sqlPort = <Port extends object>(
  name: string,
  operations: AsyncOperations<NoInfer<Port>>,
): Port => portOf(name, operations, failureKind)
