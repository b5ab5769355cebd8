import type { Middleware, ParameterizedContext } from 'koa'
import type { LoggedFailure } from './log-entry.js'

/** What is known of the request under way, for its answer and its log entry. */
export type RequestRecord = {
  readonly requestId: string
  route: string
  /** A probe is asked for every few seconds: while all is well it is logged for those who want every detail. */
  isProbe?: true
  organisation?: string
  code?: string
  failure?: LoggedFailure
}

/** Under one name, so that a host application's own state is left alone. */
export type AppState = { accountImport: RequestRecord }
export type AppContext = ParameterizedContext<AppState>
export type AppMiddleware = Middleware<AppState>
