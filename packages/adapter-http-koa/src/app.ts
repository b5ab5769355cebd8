import { bundledMarkets, type MarketPack, type UseCases } from '@account-import/core'
import { Router } from '@koa/router'
import Koa from 'koa'
import { type AppContext, type AppState, isClientGone, type LogEntry, loggedFailure } from './context.js'
import { crossOrigin, everyRequest, notFound } from './every-request.js'
import { mountDocs, mountRoot } from './docs/mount-docs.js'
import { mountGraphql } from './graphql/mount-graphql.js'
import { type MetricsText, mountHealth, mountMetrics, type Readiness } from './probes.js'
import { KeyLimits, type KeyLimitsOptions } from './limits/key-limits.js'
import type { LongBodies } from './long-bodies.js'
import { mountRoutes } from './mount.js'
import { mountRunPages } from './runs/mount-run-pages.js'

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
  mountRoot(api)
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
