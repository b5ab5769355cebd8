import type { IncomingMessage } from 'node:http'
import { bundledMarkets, type MarketPack, type UseCases } from '@account-import/core'
import type { Html } from '@account-import/core/html'
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
  unreadConnections,
} from './context.js'
import type { ReadLong } from './body/whole-body.js'
import { mountDocs } from './docs/mount-docs.js'
import { mountGraphql } from './graphql/mount-graphql.js'
import { BodyPool, KeyLimits, type KeyLimitsOptions } from './limits.js'
import { type ApiRouter, mountRoutes } from './mount.js'
import { type MetricsText, mountLiveness, mountMetrics, mountReadiness, type Readiness } from './probes.js'

/** Methods and request headers that pages of other origins may use: all those of the API. */
const allowed = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST',
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, Content-Encoding, Accept, Idempotency-Key, Import-Run, Import-Run-Line, X-Request-Id',
  'Access-Control-Max-Age': '600',
}

/** Response headers that pages of other origins may read, besides those that browsers always expose. */
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
 * Allows pages of these origins only to use the API (the CORS protocol of the Fetch standard). Credentials of the browser are not
 * allowed: the page itself sends a token.
 */
const crossOrigin = (origins: readonly string[]): AppMiddleware => {
  const allowedOrigins = new Set(origins)
  return (ctx, next) => {
    ctx.vary('Origin')
    const origin = ctx.get('Origin')
    if (!allowedOrigins.has(origin)) return next()
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
 * The path and query of a request target (RFC 9112, section 3.2), also of one with scheme and host, as sent to a proxy. Undefined
 * for a target without a path.
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
    ...(unreadConnections.has(ctx.req.socket) && { unread: true }),
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

const lingerMilliseconds = 10_000

/** Discards the rest of a body for a limited time, so that a client that is still sending gets its response. */
const drain = (request: IncomingMessage): void => {
  const timer = setTimeout(() => request.socket.destroy(), lingerMilliseconds)
  timer.unref()
  request.once('close', () => clearTimeout(timer))
  request.resume()
}

/**
 * When the response is complete or its connection closes: logs an entry, and discards a body that was not read whole, so that it
 * blocks neither connection nor memory.
 */
const endWith = (ctx: AppContext, log: (entry: LogEntry) => void): void => {
  const { req, res } = ctx
  const startedAt = performance.now()
  res.once('close', () => {
    log(entryOf(ctx, performance.now() - startedAt))
    if (res.writableFinished && !req.complete) drain(req)
  })
}

/** Replaces the request's target by its origin form; false if it has none. */
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
 * The middleware of every request: its id, the headers of every response, its log entry, and 500 for a thrown error. Refusals
 * are values, so a thrown error is a bug of the service, or the client disconnected while its body was read; then no response is
 * sent. All this is one middleware, as each middleware costs every request a promise.
 */
const everyRequest =
  (log: (entry: LogEntry) => void): AppMiddleware =>
  async (ctx, next) => {
    begin(ctx)
    endWith(ctx, log)
    try {
      if (hasOriginForm(ctx)) await next()
      else refuse(ctx, { _tag: 'NotHttp', status: 400, wrong: 'target' })
    } catch (cause) {
      if (!isClientGone(cause)) refuse(ctx, { _tag: 'Unexpected', cause })
    }
  }

/** The last middleware: no route matched the request. */
const notFound: AppMiddleware = (ctx) => {
  refuse(ctx, { _tag: 'NothingHere' })
}

export type AppOptions = Readonly<{
  /** Prefix of every path, such as `/imports`; empty by default. */
  basePath?: string
  /** Switches GraphQL introspection on, and suggestions in its errors; false by default. */
  introspection?: boolean
  /**
   * Whether exactly one proxy is in front of the service and sets `X-Forwarded-For`: its last entry is then the client's
   * address. False by default: the client's address is that of the connection.
   */
  trustProxy?: boolean
  /** Answers addresses before the API does, such as the console; calls `next` for all others. */
  pages?: (limits: KeyLimits, basePath: string) => Middleware<AppState>
  /**
   * Checks the components that the service needs (database, storage), for `/readyz`; called for each probe. Left out, there is
   * neither `/readyz` nor `/livez`: a host application has its own.
   */
  readiness?: () => Promise<Readiness>
  /**
   * The text of `/metrics`, called at most once a second. Left out, there is no `/metrics`. `/metrics` needs no token and is
   * outside the base path.
   */
  metrics?: () => Promise<MetricsText>
  /**
   * A section of the page at the address of the service, such as that of demo data; called for each page, which everybody can
   * read. Left out, the page has the state of the service and the next step of each role.
   */
  introduction?: () => Promise<Html>
  /** The markets whose codes the OpenAPI document has: those of the service's settings; absent: the bundled ones. */
  markets?: readonly MarketPack[]
  /** The limits of each key. Left out: 512 concurrent requests. */
  limits?: KeyLimitsOptions
  /**
   * Reads bodies and lines of 128 KiB and more, such as in another thread; the `validator` of the use cases then validates their accounts.
   * Left out, this thread does both, and each delays all other requests.
   */
  readLong?: ReadLong
  /** Interval in which the access of a request is checked again while its answer is streamed; 20 000 ms by default. */
  recheckMilliseconds?: number
  /**
   * Origins, such as `https://app.example`, whose pages may use the API from a browser. Left out, or empty: none but that of the
   * service itself.
   */
  corsOrigins?: readonly string[]
  /**
   * Receives one entry for each request, when its response has ended. Left out, entries are written to stderr as lines of JSON
   * with the time, except those of the level `debug`.
   */
  log?: (entry: LogEntry) => void
}>

/** `imports/` and `/imports` are one base path; the root is the empty text. */
const basePathOf = (basePath = ''): string => basePath.replace(/^\/*(?=.)/, '/').replace(/\/+$/, '')

const apiRouter = (
  useCases: UseCases,
  {
    basePath,
    introspection = false,
    pages,
    readiness,
    metrics,
    introduction,
    markets = bundledMarkets,
    limits,
    readLong,
    recheckMilliseconds = 20_000,
  }: AppOptions,
): ApiRouter => {
  const router = new Router<AppState>({ sensitive: true })
  const api: ApiRouter = {
    router,
    useCases,
    basePath: basePathOf(basePath),
    limits: new KeyLimits(limits),
    pool: new BodyPool(),
    readLong,
    recheckMilliseconds,
  }
  mountRoutes(api)
  mountGraphql(api, introspection)
  mountDocs(api, markets, { readiness, introduction, hasConsole: pages !== undefined })
  if (readiness !== undefined) {
    mountLiveness(router)
    mountReadiness(router, readiness)
  }
  if (metrics !== undefined) mountMetrics(router, metrics)
  return api
}

/** Koa reports failures after the start of a response here; without a listener it would print the stack. */
const noteLateFailure = (cause: unknown, ctx?: AppContext): void => {
  if (ctx !== undefined && !isClientGone(cause)) ctx.state.accountImport.failure ??= loggedFailure(cause)
}

/** The default log: a line of JSON for each entry, without successful probes. */
const logToStderr = (entry: LogEntry): void => {
  if (entry.level === 'debug') return
  console.error(JSON.stringify({ time: new Date().toISOString(), ...entry }))
}

const appAround = (
  { router }: Pick<ApiRouter, 'router'>,
  options: Pick<AppOptions, 'log' | 'trustProxy' | 'corsOrigins'>,
  pages?: AppMiddleware,
): Koa<AppState> => {
  const { corsOrigins = [] } = options
  const app = new Koa<AppState>({ proxy: options.trustProxy ?? false, maxIpsCount: 1 })
  app.on('error', noteLateFailure)
  app.use(everyRequest(options.log ?? logToStderr))
  if (corsOrigins.length > 0) app.use(crossOrigin(corsOrigins))
  if (pages !== undefined) app.use(pages)
  app.use(router.routes())
  app.use(notFound)
  return app
}

/** The account import API as a Koa application; it holds no resource of its own. */
export const createApp = (useCases: UseCases, options: AppOptions = {}): Koa<AppState> => {
  const api = apiRouter(useCases, options)
  return appAround(api, options, options.pages?.(api.limits, api.basePath))
}

/** An application with `/metrics` and `/livez`, for a port of its own: connections of clients do not delay its probes. */
export const createMetricsApp = (
  metrics: () => Promise<MetricsText>,
  options: Pick<AppOptions, 'log'>,
): Koa<AppState> => {
  const router = new Router<AppState>({ sensitive: true })
  mountMetrics(router, metrics)
  mountLiveness(router)
  return appAround({ router }, options)
}
