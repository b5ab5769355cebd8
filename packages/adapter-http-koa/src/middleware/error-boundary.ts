import { refuse } from '../answers.js'
import type { AppMiddleware } from '../context.js'
import { isClientGone } from '../client-gone.js'

/**
 * Answers 500 for anything that was thrown. Refusals are values and do not come here, so what does is a bug of
 * the service; or the client went away while its body was read, and there is nobody to answer.
 */
export const errorBoundary: AppMiddleware = async (ctx, next) => {
  try {
    await next()
  } catch (cause) {
    if (!isClientGone(cause)) refuse(ctx, { _tag: 'Unexpected', cause })
  }
}
