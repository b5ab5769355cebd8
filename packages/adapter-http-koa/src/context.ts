import { randomUUID } from 'node:crypto'
import type { AnsweredAccount } from '@account-import/core'
import type { Middleware, ParameterizedContext } from 'koa'
import type { LogEntry, LoggedFailure } from './log-entry.js'

/** What is known of the request under way, for its answer and its log entry. */
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
export type AppMiddleware = Middleware<AppState>

const sane = /^[A-Za-z0-9._-]{1,64}$/

/** The caller's `X-Request-Id` if it is 1 to 64 of `A-Za-z0-9._-`, else a new one. */
export const requestIdOf = (sent: unknown): string =>
  typeof sent === 'string' && sane.test(sent) ? sent : randomUUID()

/** The path of the request as it came, with everything that a host application put before it. */
export const pathAsked = (ctx: AppContext): string => ctx.originalUrl.replace(/[?#].*$/, '')
