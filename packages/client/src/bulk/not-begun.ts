import type { Failure } from '../result.js'

/** The request came too slowly, there are too many of them, the service is not ready. */
const statuses = new Set([408, 429, 503])

/** What Node.js says of a connection that there never was; browsers do not tell. */
const noConnection = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** Whether Node.js says in the cause of a failure that nobody was reached; browsers do not tell. */
export const isNoConnection = (cause: unknown): boolean =>
  typeof cause === 'object' &&
  cause !== null &&
  (('code' in cause && noConnection.has(String(cause.code))) ||
    ('cause' in cause && isNoConnection(cause.cause)))

/** Whether the service has surely not begun with a request that failed so. */
export const isNotBegun = ({ status, cause }: Pick<Failure, 'status' | 'cause'>): boolean =>
  statuses.has(status) || isNoConnection(cause)
