import { isPortFailure } from '@account-import/core/adapter-kit'
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { AnsweredAccount, Authenticated, UseCases } from '@account-import/core'
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
  /** The change that the embedding program needs, where it is known: a fixed sentence. */
  advice?: string
}>

/** One request as it is logged. Never holds a payload value, an account number, a token or a raw path. */
export type LogEntry = Readonly<{
  event: 'request'
  /** `debug` for successful probes. */
  level: 'debug' | 'info' | 'warn' | 'error'
  requestId: string
  /** `unknown` for bytes that are not HTTP. */
  method: string
  /** The path pattern of the contract, `unmatched` where none matches. */
  route: string
  /** The status of the response; 0 when the client disconnected before the response began. */
  status: number
  durationMs: number
  /** The connection ended before the answer was complete. */
  aborted: boolean
  /** The cause: the client read nothing of the answer for too long, such as one that sends its whole request first. */
  unread?: true
  /** The organisation of the token; absent before authentication. */
  organisation?: string
  /** The id of the token's key, which is no secret; absent before authentication. */
  apiKeyId?: string
  /** The code of the problem that was answered, absent on success. */
  code?: string
  /** The response repeats an earlier one to the same idempotency key; its work was done then. */
  replayed?: true
  /** The number of field errors by code; absent without any. */
  errors?: Readonly<Record<string, number>>
  /** The number of accounts of a bulk request by outcome, up to the end of the response. */
  counts?: Readonly<Record<string, number>>
  /** The number of refused accounts of a bulk request by code; `errors` then counts the field errors of these accounts. */
  lineCodes?: Readonly<Record<string, number>>
  /**
   * A refresh token of this key was used a second time, so a copy of the token exists. The session was ended; the entry is a
   * warning, and names the key, not the token.
   */
  refreshTokenReused?: Readonly<{ apiKeyId: string }>
  failure?: LoggedFailure
}>

/** Connections that were ended because their clients read nothing. */
export const unreadConnections = new WeakSet<Socket>()

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

/** A fault of the application that this one is mounted in. `name`: that of the fault; `advice`: a fixed sentence with the remedy. */
export class HostFault extends Error {
  override readonly name: string
  readonly advice: string

  constructor(name: string, advice: string) {
    super(advice)
    this.name = name
    this.advice = advice
  }
}

/** The part of a cause that may be logged: names and codes only, as error messages can contain SQL and data. */
export const loggedFailure = (cause: unknown): LoggedFailure =>
  isPortFailure(cause)
    ? { kind: cause.kind, port: cause.port, operation: cause.operation, ...namesOf(cause.cause) }
    : {
        kind: 'unexpected',
        ...namesOf(cause),
        ...(cause instanceof HostFault && { advice: cause.advice }),
      }

/**
 * The access of a request, by a token or by the session of a page. `apiKeyId`: whose limits it counts for; `who`: the actor of
 * audit events; `inForce`: checks that the access is still valid, and reads the store once in 30 seconds.
 */
export type Session = Pick<Authenticated, 'apiKeyId' | 'organisation' | 'scopes'> &
  Readonly<{ who: string; inForce: () => ReturnType<UseCases['reauthenticate']> }>

/** The facts about the request under way, for its answer and its log entry. */
export type RequestRecord = {
  readonly requestId: string
  route: string
  /** Set on probes. Successful probes are logged at level debug, as probes arrive every few seconds. */
  isProbe?: true
  organisation?: string
  apiKeyId?: string
  /** Set by pages for their requests to the API, which then need no token. */
  session?: Session
  code?: string
  /** The answer was given before, to a request with the same idempotency key. */
  replayed?: true
  /** The account that the body names, for the idempotency record; never for the log. */
  account?: AnsweredAccount
  /** Set if the request changes nothing in any outcome: its response is never stored or replayed. */
  changesNothing?: true
  errors?: Record<string, number>
  lineCodes?: Record<string, number>
  counts?: NonNullable<LogEntry['counts']>
  refreshTokenReused?: NonNullable<LogEntry['refreshTokenReused']>
  failure?: LoggedFailure
}

/** The whole state has one name, so that it does not collide with the state of a host application. */
export type AppState = { accountImport: RequestRecord }
export type AppContext = ParameterizedContext<AppState>

const sane = /^[A-Za-z0-9._-]{1,64}$/

/** The caller's `X-Request-Id` if it is 1 to 64 of `A-Za-z0-9._-`, else a new one. */
export const requestIdOf = (sent: unknown): string =>
  typeof sent === 'string' && sane.test(sent) ? sent : randomUUID()

/** The undecoded path of the request, with the prefix of a host application. */
export const pathAsked = (ctx: AppContext): string => ctx.originalUrl.replace(/[?#].*$/, '')

const codes = new Set(['ECONNABORTED', 'ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'])

/** Whether an error only reports that the client has disconnected. */
export const isClientGone = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string' && codes.has(cause.code)

/** The error that is thrown when the client has disconnected. */
export const clientGone = (): Error =>
  Object.assign(new Error('the client went away'), { code: 'ECONNABORTED' })

/**
 * Calls `work` when the response has ended or its connection has closed; at once if that has happened. `closed` would be false
 * for a response that was still queued when its connection closed.
 */
export const whenClosed = (response: ServerResponse, work: () => void): void => {
  if (response.destroyed) work()
  else response.once('close', work)
}

/** The signal aborts with `clientGone` when the connection closes before the response is complete. */
export const goneSignal = (response: ServerResponse): AbortSignal => {
  const controller = new AbortController()
  const onClose = (): void => {
    if (!response.writableFinished) controller.abort(clientGone())
  }
  whenClosed(response, onClose)
  return controller.signal
}
