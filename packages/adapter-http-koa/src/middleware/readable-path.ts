import { refuse } from '../answers.js'
import type { AppContext, AppMiddleware } from '../context.js'

const hasPath = (ctx: AppContext): boolean => {
  try {
    return ctx.path.startsWith('/')
  } catch {
    // A request target such as `http://[` cannot be taken apart; there is nothing at it.
    return false
  }
}

/** Refuses request targets that are no path, before the router sees them. */
export const readablePath: AppMiddleware = (ctx, next) => {
  if (hasPath(ctx)) return next()
  refuse(ctx, { _tag: 'NothingHere' })
  return undefined
}
