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

/** TLS that never came about: the certificate is not trusted, or what answers speaks no TLS. */
const noTls = /CERT|^UNABLE_TO_|^HOSTNAME_MISMATCH$|^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/

/** The code that Node.js puts into the cause where there never was a connection; browsers put none. */
export const noConnectionCode = (cause: unknown): string | undefined => {
  if (typeof cause !== 'object' || cause === null) return undefined
  const code = 'code' in cause ? String(cause.code) : ''
  if (noConnection.has(code) || noTls.test(code)) return code
  return 'cause' in cause ? noConnectionCode(cause.cause) : undefined
}

/** Whether it is TLS that the code of `noConnectionCode` speaks of. */
export const isTlsCode = (code: string): boolean => noTls.test(code)

/** Whether the service has surely not begun with a request that failed so. */
export const isNotBegun = ({ status, cause }: Pick<Failure, 'status' | 'cause'>): boolean =>
  statuses.has(status) || noConnectionCode(cause) !== undefined
