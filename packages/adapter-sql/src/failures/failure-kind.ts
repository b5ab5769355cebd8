import type { PortFailure } from '@account-import/core'
import { dialects } from '../dialects/dialects.js'
import type { RetryReason } from '../dialects/sql-dialect.js'
import { DatabaseError } from '../drivers/database-error.js'
import { KeyRingError } from '../encryption/data-keys.js'
import { retryReasonOf } from './retry-reason.js'

/** What the operating system says of a network on which nobody answers. */
const networkCodes: ReadonlySet<string | undefined> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT', // the socket file is not there
])

const isUnavailable = (error: DatabaseError): boolean =>
  networkCodes.has(error.code) || dialects.some(({ errors }) => errors.isUnavailable(error))

/** What is still asked to run again after all tries is unavailable too: it may work later. */
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
