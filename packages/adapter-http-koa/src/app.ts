import { bundledMarkets, type UseCases } from '@account-import/core'
import { Router } from '@koa/router'
import Koa from 'koa'
import type { AppOptions } from './app-options.js'
import type { AppContext, AppState } from './context.js'
import { mountHealth } from './health/mount-health.js'
import { mountGraphql } from './graphql/mount-graphql.js'
import { loggedFailure } from './logged-failure.js'
import { isClientGone } from './client-gone.js'
import { accessLog } from './middleware/access-log.js'
import { errorBoundary } from './middleware/error-boundary.js'
import { notFound } from './middleware/not-found.js'
import { readablePath } from './middleware/readable-path.js'
import { requestId } from './middleware/request-id.js'
import { securityHeaders } from './middleware/security-headers.js'
import { unreadBody } from './middleware/unread-body.js'
import { mountDocs } from './docs/mount-docs.js'
import { mountRoutes } from './routes/mount-routes.js'
import { basePathOf } from './route-path.js'

const routerOf = (
  useCases: UseCases,
  { basePath, production = false, readiness, markets = bundledMarkets }: AppOptions,
): Router<AppState> => {
  const router = new Router<AppState>({ sensitive: true })
  const api = { router, useCases, basePath: basePathOf(basePath) }
  mountRoutes(api)
  mountGraphql(api, production)
  mountDocs(api, markets)
  if (readiness !== undefined) mountHealth(router, readiness)
  return router
}

/** Koa reports here what fails after an answer has begun; without a listener it would print the stack. */
const noteLateFailure = (cause: unknown, ctx?: AppContext): void => {
  if (ctx !== undefined && !isClientGone(cause)) ctx.state.accountImport.failure ??= loggedFailure(cause)
}

/** The account import API as a Koa application; it holds no resource of its own. */
export const createApp = (useCases: UseCases, options: AppOptions): Koa<AppState> => {
  const app = new Koa<AppState>({ proxy: options.trustProxy ?? false, maxIpsCount: 1 })
  app.on('error', noteLateFailure)
  app.use(requestId)
  app.use(accessLog(options.log))
  app.use(errorBoundary)
  app.use(unreadBody)
  app.use(securityHeaders)
  app.use(readablePath)
  app.use(routerOf(useCases, options).routes())
  app.use(notFound)
  return app
}
