import type { AppMiddleware } from '../context.js'
import { fixedHeaders } from '../fixed-headers.js'

export const securityHeaders: AppMiddleware = (ctx, next) => {
  ctx.set(fixedHeaders)
  return next()
}
