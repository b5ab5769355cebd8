import { setTimeout } from 'node:timers/promises'
import { portCall, type PortFailure, type PortResult } from '@account-import/core'
import { dialects } from '../dialects/dialects.js'
import type { RetryReason } from '../dialects/sql-dialect.js'
import { DatabaseError } from '../drivers/database-error.js'
import { KeyRingError } from './crypto.js'

/**
 * An insert found its places taken, although the account is locked: row locks do not reach the other nodes of a cluster,
 * and somebody there chose the same ones. To be run again, which sees what the other has done.
 */
export class LostRace extends Error {
  override readonly name = 'LostRace'

  constructor() {
    super('another node of the cluster wrote the same places first')
  }
}

/** Why the database asks for the work to be run again; undefined when that would not help. */
export const retryReasonOf = (cause: unknown): RetryReason | undefined => {
  if (cause instanceof LostRace) return 'deadlock'
  if (!(cause instanceof DatabaseError)) return undefined
  return dialects.map(({ errors }) => errors.retryReasonOf(cause)).find((reason) => reason !== undefined)
}

/** Runs an insert; `otherwise` when there is such a row already. */
export const unlessDuplicate = async <A, B>(insert: () => Promise<A>, otherwise: B): Promise<A | B> => {
  try {
    return await insert()
  } catch (cause) {
    if (cause instanceof DatabaseError && dialects.some(({ errors }) => errors.isDuplicate(cause)))
      return otherwise
    throw cause
  }
}

/** Codes of the operating system for a network on which nobody answers; `ENOENT`: the socket file is not there. */
const networkCodes: ReadonlySet<string | undefined> = new Set(
  'ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ETIMEDOUT ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH ENOENT'.split(
    ' ',
  ),
)

const isUnavailable = (error: DatabaseError): boolean =>
  networkCodes.has(error.code) || dialects.some(({ errors }) => errors.isUnavailable(error))

/** A retry that is still asked for after all tries is unavailable too: it may work later. */
export const failureKind = (cause: unknown): PortFailure['kind'] => {
  if (retryReasonOf(cause) !== undefined) return 'unavailable'
  if (cause instanceof KeyRingError) return cause.kind
  if (cause instanceof DatabaseError) return isUnavailable(cause) ? 'unavailable' : 'unexpected'
  return cause instanceof Error && cause.name.endsWith('TimeoutError') ? 'unavailable' : 'unexpected'
}

/** Reasons that concern the rows of one statement, while others can go on. */
const ofSomeRows: ReadonlySet<RetryReason | undefined> = new Set(['deadlock', 'lock_wait'])

/**
 * Whether the database is away: to try again at once, even for others, would fail in the same way. It is not where
 * somebody keeps a row locked, nor where a key is not there that one row needs.
 */
export const isAway = (cause: unknown): boolean =>
  failureKind(cause) === 'unavailable' &&
  !ofSomeRows.has(retryReasonOf(cause)) &&
  !(cause instanceof KeyRingError)

/** Told of every retry, for counters. */
export type OnRetry = (retry: Readonly<{ reason: RetryReason; attempt: number }>) => void

/**
 * SQLite's one writer is waited for as long as a client may wait. A transaction that lost against another node of a cluster may lose
 * many times where several write to one account: each time somebody else is done. A database that is away is not asked often.
 */
const maxTries: Readonly<Record<RetryReason, number>> = {
  busy: Infinity,
  deadlock: Infinity,
  certification: 5,
  lock_wait: 5,
  read_only: 5,
}
const maxMilliseconds = 10_000

const mayTryAgain = (reason: RetryReason, attempt: number, since: number): boolean =>
  performance.now() - since < maxMilliseconds && attempt < maxTries[reason]

/** Random, so that transactions that clashed do not clash again; longer after each try. */
const pause = (attempt: number): number => Math.random() * Math.min(5 * 2 ** attempt, 250)

/** Runs the work again when the database asks for it: for at most 10 seconds, for most reasons 5 times; then its failure stands. */
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

type Operation<Method> = Method extends (...given: infer Given) => PortResult<infer A>
  ? (...given: Given) => Promise<A>
  : never

/** A port of asynchronous operations: an error that one of them throws becomes a `PortFailure`. */
export const sqlPort = <Port extends object>(
  name: string,
  operations: { readonly [Name in keyof Port]: Operation<Port[Name]> },
): Port => {
  const call = portCall(name, failureKind)
  const methods = Object.entries<(...given: unknown[]) => Promise<unknown>>(operations)
  return Object.fromEntries(
    methods.map(([operation, run]) => [
      operation,
      (...given: unknown[]) => call(operation, () => run(...given)),
    ]),
  ) as Port
}
