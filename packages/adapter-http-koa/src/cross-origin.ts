import type { AppMiddleware } from './context.js'

/** Methods and request headers that pages of other origins may use: those that the API knows. */
const allowed = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST',
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, Content-Encoding, Accept, Idempotency-Key, X-Request-Id',
  'Access-Control-Max-Age': '600',
}

/** Headers of answers that clients need besides those that pages may always read. */
const exposed = [
  'Allow',
  'ETag',
  'Idempotency-Replayed',
  'Import-Warnings',
  'Import-Warnings-Total',
  'Link',
  'Location',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
].join(', ')

/**
 * Lets pages of these origins, and of no other, use the API (the CORS protocol of the Fetch standard). Without credentials of the
 * browser: a token is sent by the page itself.
 */
export const crossOrigin = (origins: readonly string[]): AppMiddleware => {
  const known = new Set(origins)
  return (ctx, next) => {
    ctx.vary('Origin')
    const origin = ctx.get('Origin')
    if (!known.has(origin)) return next()
    ctx.set('Access-Control-Allow-Origin', origin)
    ctx.set('Cross-Origin-Resource-Policy', 'cross-origin')
    if (ctx.method === 'OPTIONS' && ctx.get('Access-Control-Request-Method') !== '') {
      ctx.state.accountImport.route = 'preflight'
      ctx.set(allowed)
      ctx.status = 204
      return undefined
    }
    ctx.set('Access-Control-Expose-Headers', exposed)
    return next()
  }
}
