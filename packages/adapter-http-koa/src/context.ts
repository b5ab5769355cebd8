import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { AnsweredAccount } from '@account-import/core'
import type { ParameterizedContext } from 'koa'
import type { LogEntry, LoggedFailure } from './log-entry.js'

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
