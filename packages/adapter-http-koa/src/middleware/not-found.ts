import { refuse } from '../answers.js'
import type { AppMiddleware } from '../context.js'

/** The last middleware: no route took the request. */
export const notFound: AppMiddleware = (ctx) => {
  refuse(ctx, { _tag: 'NothingHere' })
}
