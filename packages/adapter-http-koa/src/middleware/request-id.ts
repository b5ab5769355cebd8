import type { AppMiddleware } from '../context.js'
import { requestIdOf } from '../request-id-of.js'

/** Gives the request its id, which is in the headers of every answer. */
export const requestId: AppMiddleware = (ctx, next) => {
  const id = requestIdOf(ctx.req.headers['x-request-id'])
  ctx.state.accountImport = { requestId: id, route: 'unmatched' }
  ctx.set('X-Request-Id', id)
  return next()
}
