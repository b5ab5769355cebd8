import type { PortFailure } from '@account-import/core'

/** The failure inside the service: names only, never a message, a stack, SQL or data. */
export type LoggedFailure = Readonly<{
  kind: 'unavailable' | 'unexpected'
  /** The port and its operation, where a port failed. */
  port?: string
  operation?: string
  /** Name and code of the error that was the cause, such as `Error` and `ECONNREFUSED`. */
  name: string
  code?: string
}>

/** One request as it is logged. Never holds a payload value, an account number, a token or a raw path. */
export type LogEntry = Readonly<{
  event: 'request'
  /** `debug` for probes that find all well. */
  level: 'debug' | 'info' | 'warn' | 'error'
  requestId: string
  /** `unknown` for what was no HTTP. */
  method: string
  /** The path pattern of the contract, `unmatched` where none fits. */
  route: string
  /** The status of the answer; 0 when the client went away before there was one. */
  status: number
  durationMs: number
  /** The connection ended before the answer was complete. */
  aborted: boolean
  /** The organisation of the token; absent before authentication. */
  organisation?: string
  /** The id of the token's key, which is no secret; absent before authentication. */
  apiKeyId?: string
  /** The code of the problem that was answered, absent on success. */
  code?: string
  /** The answer was given before, to a request with the same idempotency key; what it says was done then. */
  replayed?: true
  /** How many field errors of each code it had, where it had some. */
  errors?: Readonly<Record<string, number>>
  /** The outcomes of the accounts of a bulk request, as far as it came. */
  counts?: Readonly<Record<string, number>>
  /** How many of them were refused with each code; `errors` are theirs then. */
  lineCodes?: Readonly<Record<string, number>>
  /**
   * A refresh token of this key came that had been used before: somebody has a copy. Its session was ended; the entry is a
   * warning, and names the key, not the token.
   */
  refreshTokenReused?: Readonly<{ apiKeyId: string }>
  failure?: LoggedFailure
}>

const plainName = /^[A-Za-z0-9_.-]{1,64}$/

const textAt = (cause: unknown, key: 'name' | 'code'): string | undefined => {
  if (typeof cause !== 'object' || cause === null) return undefined
  const value: unknown = Reflect.get(cause, key)
  return typeof value === 'string' && plainName.test(value) ? value : undefined
}

const namesOf = (cause: unknown): Pick<LoggedFailure, 'name' | 'code'> => {
  const code = textAt(cause, 'code')
  return { name: textAt(cause, 'name') ?? typeof cause, ...(code === undefined ? {} : { code }) }
}

export const isPortFailure = (cause: unknown): cause is PortFailure =>
  typeof cause === 'object' && cause !== null && '_tag' in cause && cause._tag === 'PortFailure'

/** The part of a cause that may be logged: error messages can hold SQL and data, so only names and codes stay. */
export const loggedFailure = (cause: unknown): LoggedFailure =>
  isPortFailure(cause)
    ? { kind: cause.kind, port: cause.port, operation: cause.operation, ...namesOf(cause.cause) }
    : { kind: 'unexpected', ...namesOf(cause) }
