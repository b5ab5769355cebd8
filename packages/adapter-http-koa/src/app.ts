import { bundledMarkets, type UseCases } from '@account-import/core'
import { Router } from '@koa/router'
import Koa from 'koa'
import type { AppOptions } from './app-options.js'
import type { AppContext, AppState } from './context.js'
import { mountHealth } from './health/mount-health.js'
import { mountGraphql } from './graphql/mount-graphql.js'
import { KeyLimits } from './limits/key-limits.js'
import { logToStderr } from './log-to-stderr.js'
import { loggedFailure } from './logged-failure.js'
import { isClientGone } from './client-gone.js'
import { crossOrigin } from './middleware/cross-origin.js'
import { everyRequest } from './middleware/every-request.js'
import { notFound } from './middleware/not-found.js'
import { mountDocs } from './docs/mount-docs.js'
import { mountRoot } from './docs/mount-root.js'
import { mountMetrics, type MetricsText } from './metrics/mount-metrics.js'
import { mountRoutes } from './routes/mount-routes.js'
import { basePathOf } from './route-path.js'

const routerOf = (
  useCases: UseCases,
  {
    basePath,
    introspection = false,
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
  if (readiness !== undefined) mountHealth(router, readiness)
  if (metrics !== undefined) mountMetrics(router, metrics)
  return router
}

/** Koa reports here what fails after an answer has begun; without a listener it would print the stack. */
const noteLateFailure = (cause: unknown, ctx?: AppContext): void => {
  if (ctx !== undefined && !isClientGone(cause)) ctx.state.accountImport.failure ??= loggedFailure(cause)
}

/** What every request goes through, around a router. */
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
