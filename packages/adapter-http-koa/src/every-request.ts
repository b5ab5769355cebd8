import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import helmet from 'helmet'
import type { Middleware } from 'koa'
import { refuse } from './answers.js'
import {
  type AppContext,
  type AppState,
  isClientGone,
  type LogEntry,
  requestIdOf,
  type RequestRecord,
} from './context.js'

/** Methods and request headers that pages of other origins may use: those that the API knows. */
const allowed = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST',
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, Content-Encoding, Accept, Idempotency-Key, Import-Run, Import-Run-Line, X-Request-Id',
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

type AppMiddleware = Middleware<AppState>

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

const helmetHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  frameguard: { action: 'deny' },
  // These steer browsers that show pages; JSON has no use for them, and each header costs a little.
  crossOriginEmbedderPolicy: false,
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xPoweredBy: false,
  xXssProtection: false,
})

/** Lets helmet set its headers on an answer that is never sent, and reads them from there: they are always the same. */
const collected = (): readonly (readonly [name: string, value: string])[] => {
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  response.setHeader('Cache-Control', 'no-store')
  // Helmet's part is done when this returns.
  helmetHeaders(request, response, () => undefined)
  return response.getHeaderNames().map((name) => [name, String(response.getHeader(name))])
}

/**
 * Headers of every answer, also of those that no application gives. For an API whose answers hold personal data:
 * not to be framed, sniffed, loaded by pages or kept.
 */
export const fixedHeaders = collected()

const absolute = /^https?:\/\/([^/?#]+)(.*)$/i

/**
 * The path and query that a request target asks for (RFC 9112, section 3.2): a target that names a scheme and a host too, as for a
 * proxy, is the same request. Undefined for a target that has no path.
 */
const originForm = (target: string): string | undefined => {
  if (target.startsWith('/')) return target
  const [, authority = '', rest = ''] = absolute.exec(target) ?? []
  if (!URL.canParse(`http://${authority}/`)) return undefined
  return rest.startsWith('/') ? rest : `/${rest}`
}

const levelOf = (
  status: number,
  { failure, refreshTokenReused, isProbe }: RequestRecord,
): LogEntry['level'] => {
  if (status === 503 || refreshTokenReused !== undefined) return 'warn'
  if (failure !== undefined || status >= 500) return 'error'
  return isProbe === true && status === 200 ? 'debug' : 'info'
}

const entryOf = (ctx: AppContext, durationMs: number): LogEntry => {
  const { res } = ctx
  const record = ctx.state.accountImport
  const { requestId, route, organisation, apiKeyId, code, replayed } = record
  const { errors, counts, lineCodes, refreshTokenReused, failure } = record
  const status = res.headersSent ? res.statusCode : 0
  return {
    event: 'request',
    level: levelOf(status, record),
    requestId,
    method: ctx.method,
    route,
    status,
    durationMs: Math.round(durationMs * 1000) / 1000,
    aborted: !res.writableFinished,
    ...(organisation === undefined ? {} : { organisation }),
    ...(apiKeyId === undefined ? {} : { apiKeyId }),
    ...(code === undefined ? {} : { code }),
    ...(replayed === undefined ? {} : { replayed }),
    ...(errors === undefined ? {} : { errors }),
    ...(counts === undefined ? {} : { counts: { ...counts } }),
    ...(lineCodes === undefined ? {} : { lineCodes }),
    ...(refreshTokenReused === undefined ? {} : { refreshTokenReused }),
    ...(failure === undefined ? {} : { failure }),
  }
}

/** One entry for each request, when its answer has been handed over whole or its connection is gone. */
const logWhenEnded = (ctx: AppContext, log: (entry: LogEntry) => void): void => {
  const startedAt = performance.now()
  ctx.res.once('close', () => log(entryOf(ctx, performance.now() - startedAt)))
}

const lingerMilliseconds = 10_000

/** Reads on and throws away, so that a client that is still sending gets its answer; but not for long. */
const drain = (request: IncomingMessage): void => {
  const timer = setTimeout(() => request.socket.destroy(), lingerMilliseconds)
  timer.unref()
  request.once('close', () => clearTimeout(timer))
  request.resume()
}

/** Discards a body that was refused before it was read whole, so that it blocks neither connection nor memory. */
const discardUnreadBody = ({ req, res }: AppContext): void => {
  res.once('finish', () => {
    if (!req.complete) drain(req)
  })
}

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
 * The middleware around every request: its id, the headers of every answer, its entry in the log, and 500 for anything that
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

/** The last middleware: no route took the request. */
export const notFound: AppMiddleware = (ctx) => {
  refuse(ctx, { _tag: 'NothingHere' })
}
