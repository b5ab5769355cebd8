import type { IncomingMessage } from 'node:http'
import { bundledMarkets, type MarketPack, type UseCases } from '@account-import/core'
import { Router } from '@koa/router'
import Koa from 'koa'
import type { Middleware } from 'koa'
import { fixedHeaders, refuse } from './answers.js'
import {
  type AppContext,
  type AppState,
  isClientGone,
  type LogEntry,
  loggedFailure,
  requestIdOf,
  type RequestRecord,
} from './context.js'
import { mountDocs } from './docs/mount-docs.js'
import { mountGraphql } from './graphql/mount-graphql.js'
import { KeyLimits, type KeyLimitsOptions } from './limits/key-limits.js'
import type { LongBodies } from './long-bodies.js'
import { mountRoutes } from './mount.js'
import { type MetricsText, mountHealth, mountMetrics, type Readiness } from './probes.js'
import { mountRunPages } from './runs/mount-run-pages.js'

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
const crossOrigin = (origins: readonly string[]): AppMiddleware => {
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
const everyRequest =
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
const notFound: AppMiddleware = (ctx) => {
  refuse(ctx, { _tag: 'NothingHere' })
}

export type AppOptions = Readonly<{
  /** Prefix of every path, such as `/imports`; empty by default. */
  basePath?: string
  /** Switches GraphQL introspection on, and suggestions in its errors; false by default. */
  introspection?: boolean
  /**
   * Whether exactly one proxy stands in front and sets `X-Forwarded-For`: its last entry is then taken for the
   * client's address. False by default: the address of the connection counts.
   */
  trustProxy?: boolean
  /** Whether browsers get pages of import runs at `/runs/`, after a login with an API key; false by default. */
  runPages?: boolean
  /**
   * The state of what the service needs (database, storage), for `/readyz`; called for each probe. Left out, there is
   * neither `/readyz` nor `/livez`: an application around this one has its own.
   */
  readiness?: () => Promise<Readiness>
  /**
   * The answer of `/metrics`, made anew for each request. Left out, there is no `/metrics`. It needs no token and is outside
   * the base path.
   */
  metrics?: () => Promise<MetricsText>
  /** The markets whose codes the OpenAPI document has: those of the service's settings; absent: the bundled ones. */
  markets?: readonly MarketPack[]
  /** The limits of one key. Left out: 512 requests under way at one time. */
  limits?: KeyLimitsOptions
  /**
   * Works on bodies and lines of 128 KiB and more in another thread, by `answerLongBodies` there. Left out, they are worked on
   * here, one in a turn of the event loop, and hold up others for as long as one takes.
   */
  longBodies?: LongBodies
  /**
   * Origins, such as `https://app.example`, whose pages may use the API from a browser. Left out, or empty: none but that of the
   * service itself.
   */
  corsOrigins?: readonly string[]
  /**
   * Gets one entry for each request, when its answer has ended. Left out, entries are written to stderr as lines of JSON with the time,
   * but those of the level `debug`.
   */
  log?: (entry: LogEntry) => void
}>

/** `imports/` and `/imports` are one base path; the root is the empty text. */
const basePathOf = (basePath = ''): string => basePath.replace(/^\/*(?=.)/, '/').replace(/\/+$/, '')

const routerOf = (
  useCases: UseCases,
  {
    basePath,
    introspection = false,
    runPages = false,
    readiness,
    metrics,
    markets = bundledMarkets,
    limits,
    longBodies,
  }: AppOptions,
): Router<AppState> => {
  const router = new Router<AppState>({ sensitive: true })
  const api = { router, useCases, basePath: basePathOf(basePath), limits: new KeyLimits(limits), longBodies }
  mountRoutes(api)
  mountGraphql(api, introspection)
  mountDocs(api, markets)
  if (runPages) mountRunPages(api)
  if (readiness !== undefined) mountHealth(router, readiness)
  if (metrics !== undefined) mountMetrics(router, metrics)
  return router
}

/** Koa reports here what fails after an answer has begun; without a listener it would print the stack. */
const noteLateFailure = (cause: unknown, ctx?: AppContext): void => {
  if (ctx !== undefined && !isClientGone(cause)) ctx.state.accountImport.failure ??= loggedFailure(cause)
}

/** The log of an application that was given none: a line of JSON for each entry. Probes that find all well are left out. */
const logToStderr = (entry: LogEntry): void => {
  if (entry.level === 'debug') return
  console.error(JSON.stringify({ time: new Date().toISOString(), ...entry }))
}

const appAround = (
  router: Router<AppState>,
  options: Pick<AppOptions, 'log' | 'trustProxy' | 'corsOrigins'>,
): Koa<AppState> => {
  const { corsOrigins = [] } = options
  const app = new Koa<AppState>({ proxy: options.trustProxy ?? false, maxIpsCount: 1 })
  app.on('error', noteLateFailure)
  app.use(everyRequest(options.log ?? logToStderr))
  if (corsOrigins.length > 0) app.use(crossOrigin(corsOrigins))
  app.use(router.routes())
  app.use(notFound)
  return app
}

/** The account import API as a Koa application; it holds no resource of its own. */
export const createApp = (useCases: UseCases, options: AppOptions = {}): Koa<AppState> =>
  appAround(routerOf(useCases, options), options)

/** An application with `/metrics` alone, for a port of its own. */
export const createMetricsApp = (
  metrics: () => Promise<MetricsText>,
  options: Pick<AppOptions, 'log'>,
): Koa<AppState> => {
  const router = new Router<AppState>({ sensitive: true })
  mountMetrics(router, metrics)
  return appAround(router, options)
}
