import type { PortFailure } from '@account-import/core'
import { DatabaseError } from '../connect/database-error.js'
import { retryReasonOf } from './retry-reason.js'

/** The network, or a server that is going down, coming up, full, or read-only for a while. */
const unavailableCodes = new Set([
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
  'PROTOCOL_CONNECTION_LOST',
  'PROTOCOL_SEQUENCE_TIMEOUT', // no answer in time
  'ER_CON_COUNT_ERROR',
  'ER_TOO_MANY_USER_CONNECTIONS',
  'ER_SERVER_SHUTDOWN',
  'ER_CONNECTION_KILLED',
  'ER_NORMAL_SHUTDOWN',
  'ER_OPTION_PREVENTS_STATEMENT',
  'ER_READ_ONLY_MODE',
  'SQLITE_CANTOPEN',
])

/** Handshakes that fail in the same way until somebody corrects the configuration. */
const misconfigured = new Set(['ER_ACCESS_DENIED_ERROR', 'ER_DBACCESS_DENIED_ERROR', 'ER_BAD_DB_ERROR'])

const isUnavailable = (error: DatabaseError): boolean =>
  (error.code !== undefined && unavailableCodes.has(error.code)) ||
  (error.fatal && !misconfigured.has(error.code ?? '')) ||
  /connection is in closed state/.test(error.message)

/** What is still asked to run again after all tries is unavailable too: it may work later. */
export const failureKind = (cause: unknown): PortFailure['kind'] => {
  if (retryReasonOf(cause) !== undefined) return 'unavailable'
  if (cause instanceof DatabaseError) return isUnavailable(cause) ? 'unavailable' : 'unexpected'
  return cause instanceof Error && cause.name.endsWith('TimeoutError') ? 'unavailable' : 'unexpected'
}
