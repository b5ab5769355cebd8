import { refuse } from '../answers.js'
import { isClientGone } from '../client-gone.js'
import type { AppContext, AppMiddleware } from '../context.js'
import { fixedHeaders } from '../fixed-headers.js'
import type { LogEntry } from '../log-entry.js'
import { originForm } from '../origin-form.js'
import { requestIdOf } from '../request-id-of.js'
import { logWhenEnded } from './access-log.js'
import { discardUnreadBody } from './unread-body.js'

/** Puts the origin form of the request's target before all that reads it; false where it has none. */
const hasOriginForm = (ctx: AppContext): boolean => {
  const [target, whole] = [originForm(ctx.url), originForm(ctx.originalUrl)]
  if (target === undefined || whole === undefined) return false
  ctx.url = target
  ctx.originalUrl = whole
  return true
}

const begin = (ctx: AppContext): void => {
  const requestId = requestIdOf(ctx.req.headers['x-request-id'])
  ctx.state.accountImport = { requestId, route: 'unmatched' }
  ctx.res.setHeader('X-Request-Id', requestId)
  for (const [name, value] of fixedHeaders) ctx.res.setHeader(name, value)
}

/**
 * What is around every request: its id, the headers of every answer, its entry in the log, and 500 for anything that
 * was thrown. Refusals are values and are not thrown, so that is a bug of the service; or the client went away while
 * its body was read, and there is nobody to answer. One middleware, as each would cost every request a promise.
 */
export const everyRequest =
  (log: (entry: LogEntry) => void): AppMiddleware =>
  async (ctx, next) => {
    begin(ctx)
    logWhenEnded(ctx, log)
    discardUnreadBody(ctx)
    try {
      if (hasOriginForm(ctx)) await next()
      else refuse(ctx, { _tag: 'NotHttp', status: 400, wrong: 'target' })
    } catch (cause) {
      if (!isClientGone(cause)) refuse(ctx, { _tag: 'Unexpected', cause })
    }
  }
