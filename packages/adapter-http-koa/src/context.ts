import { isPortFailure } from '@account-import/core/adapter-kit'
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { AnsweredAccount } from '@account-import/core'
import type { ParameterizedContext } from 'koa'

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

/** The part of a cause that may be logged: error messages can hold SQL and data, so only names and codes stay. */
export const loggedFailure = (cause: unknown): LoggedFailure =>
  isPortFailure(cause)
    ? { kind: cause.kind, port: cause.port, operation: cause.operation, ...namesOf(cause.cause) }
    : { kind: 'unexpected', ...namesOf(cause) }

/** The facts about the request under way, for its answer and its log entry. */
export type RequestRecord = {
  readonly requestId: string
  route: string
  /** Set on health checks that found all well. These come every few seconds, so they are logged at level debug only. */
  isProbe?: true
  organisation?: string
  apiKeyId?: string
  code?: string
  /** The answer was given before, to a request with the same idempotency key. */
  replayed?: true
  /** The account that the body names, for what is kept of the answer; never for the log. */
  account?: AnsweredAccount
  /** Set where the request changes nothing, whatever comes of it: it is answered anew each time, and no answer of it is kept. */
  changesNothing?: true
  errors?: Record<string, number>
  lineCodes?: Record<string, number>
  counts?: NonNullable<LogEntry['counts']>
  refreshTokenReused?: NonNullable<LogEntry['refreshTokenReused']>
  failure?: LoggedFailure
}

/** All our state is under one name, so that it does not meet that of a host application. */
export type AppState = { accountImport: RequestRecord }
export type AppContext = ParameterizedContext<AppState>

const sane = /^[A-Za-z0-9._-]{1,64}$/

/** The caller's `X-Request-Id` if it is 1 to 64 of `A-Za-z0-9._-`, else a new one. */
export const requestIdOf = (sent: unknown): string =>
  typeof sent === 'string' && sane.test(sent) ? sent : randomUUID()

/** The path of the request as it came, with everything that a host application put before it. */
export const pathAsked = (ctx: AppContext): string => ctx.originalUrl.replace(/[?#].*$/, '')

const codes = new Set(['ECONNABORTED', 'ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'])

/** Whether an error only says that the other end of the connection is no longer there. */
export const isClientGone = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string' && codes.has(cause.code)

/** The error that is thrown where nobody is left to be answered. */
export const clientGone = (): Error =>
  Object.assign(new Error('the client went away'), { code: 'ECONNABORTED' })

/**
 * Does the work when the answer has ended or its client has gone: now, where that was so already. `closed` would not say so of an
 * answer whose turn had not come when its connection went.
 */
export const whenClosed = (response: ServerResponse, work: () => void): void => {
  if (response.destroyed) work()
  else response.once('close', work)
}

/** Aborted when the connection ends before the answer is whole, with an error that only says so. */
export const goneSignal = (response: ServerResponse): AbortSignal => {
  const controller = new AbortController()
  const told = (): void => {
    if (!response.writableFinished) controller.abort(clientGone())
  }
  whenClosed(response, told)
  return controller.signal
}
