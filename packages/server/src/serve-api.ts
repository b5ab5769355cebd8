import { existsSync } from 'node:fs'
import {
  type AppOptions,
  createApp,
  createHttpServer,
  createMetricsApp,
} from '@account-import/adapter-http-koa'
import { consoleApp } from '@account-import/console'
import type { UseCases } from '@account-import/core'
import { isLoopback } from '@account-import/core/adapter-kit'
import { startBackgroundWork } from '@account-import/core/background'
import type { ServerConfig } from './config/read-config.js'
import type { ContainerOptions } from './container/create-container.js'
import { demoSection } from './demo/demo-section.js'
import { type Demo, ensureDemo } from './demo/ensure-demo.js'
import { drainable, listen } from './http/listen.js'
import { createLog } from './log/create-log.js'
import { eventLogs, type ServerObserver } from './log/event-logs.js'
import type { Log } from './log/log-events.js'
import { threadFile } from './long-bodies/long-bodies.js'
import { createMetrics } from './metrics/create-metrics.js'
import { StartError } from './start-error.js'
import { ensureDataFolder } from './service/data-folder.js'
import { reachingText } from './service/document-roots.js'
import { signingKeyFor } from './service/keys.js'
import { openService, type Service, type ServiceOptions } from './service/open-service.js'

export type StartOptions = Omit<ServiceOptions, 'signingKey' | 'onHealthChange' | keyof ContainerOptions> &
  Readonly<{
    /** Such as a logger of pino. Default: JSON lines on stderr at the configured level. */
    log?: Log
    /** Milliseconds that `stop` waits for running requests and e-mails. Default: 10 000. */
    drainMilliseconds?: number
    /** Whether demo data is made before the first request; false by default. */
    demo?: boolean
  }>

/** A server that accepts requests. */
export type RunningServer = Readonly<{
  /** Such as `http://127.0.0.1:8080`, without the configured base path. */
  address: string
  useCases: UseCases
  /** The demo data; absent where none was made. */
  demo?: Demo
  /** Finishes running requests and e-mails that are being sent, then closes connections and database. */
  stop(): Promise<void>
}>

/** The options of the API beside its configuration. */
type ApiOptions = StartOptions &
  Readonly<{
    log: Log
    /** Called for events. */
    observer: ServerObserver
    metrics: ReturnType<typeof createMetrics> | undefined
    /** The address of `/metrics`, if not that of the API. */
    metricsAddress?: string
  }>

/** Logs warnings for an operator at the start, also without a probe. */
const warn = async (service: Service, config: ServerConfig, log: Log): Promise<void> => {
  const { operator, emails } = service.useCases
  // The service has no TLS.
  if (!isLoopback(config.host))
    log.warn(
      { event: 'open_to_network', host: config.host },
      'HOST is open to the network and requests come without TLS: put a proxy with TLS in front',
    )
  for (const entry of config.paymentVendors)
    if (
      entry.kind === 'stripe' &&
      config.paymentVendorSecrets.get(entry.secret_key_env)?.startsWith('sk_live_')
    )
      log.warn(
        { event: 'payment_vendor_setting', vendor: entry.code },
        'its key may do everything; a restricted key that reads is enough',
      )
  // Roots of two organisations may overlap if both were set at the same moment.
  const reaching = await operator.listReachingOthers()
  if (reaching._tag === 'Right')
    for (const supplier of reaching.right)
      log.warn({ event: 'document_root_shared', supplier: supplier.code }, reachingText(supplier))
  // A service may start with a database that accepts no writes yet.
  else log.warn({ event: 'document_roots_unknown' }, 'document roots could not be compared: no database')
  const suppliers = emails.canSend ? undefined : await operator.listSuppliers()
  if (suppliers?._tag === 'Right' && suppliers.right.some(({ settings }) => settings.migrationEmails))
    log.warn({ event: 'emails_wait' }, 'SMTP_URL is not set: e-mails to customers are kept, and not sent')
  await service.readiness()
}

const threadMissing =
  'The bundle of this program lacks thread.js beside it, which reads long accounts. Add @account-import/server/thread to the bundle, as' +
  ' an entry named thread, or leave @account-import/server out of the bundle.'

const requireThread = ({ longBodies }: Service): void => {
  if (longBodies !== undefined && !existsSync(threadFile))
    throw new StartError('thread_missing', threadMissing)
}

const appOf = (service: Service, config: ServerConfig, options: ApiOptions, demo: Demo | undefined) => {
  const { useCases, readiness, markets, longBodies } = service
  const { metrics, metricsAddress, observer } = options
  const { basePath, introspection, trustProxy, corsOrigins, requestsPerKey, rateLimitPerKey: rate } = config
  const api: AppOptions = {
    basePath,
    introspection,
    trustProxy,
    corsOrigins,
    readiness,
    ...(metrics !== undefined && metricsAddress === undefined && { metrics: metrics.text }),
    markets,
    limits: { maxInFlight: requestsPerKey, ...(rate && { rate }) },
    ...(longBodies && { readLong: longBodies.read }),
    ...(demo && { introduction: () => demoSection(useCases, demo) }),
    log: observer.onRequest,
  }
  return config.console ? consoleApp({ service, ...api }) : createApp(useCases, api)
}

/** Starts the app on its port, and the background work. */
const serve = async (service: Service, config: ServerConfig, options: ApiOptions): Promise<RunningServer> => {
  const { log, observer, metricsAddress: metrics, drainMilliseconds = 10_000 } = options
  const { useCases } = service
  const { maxConnections, host, port, mailConcurrency: emailsAtOneTime } = config
  const demo = options.demo === true ? await ensureDemo(useCases.operator, config.dataDir) : undefined
  requireThread(service)
  const app = appOf(service, config, options, demo)
  const server = createHttpServer(app.callback(), { maxConnections, log: observer.onRequest })
  const drain = drainable(server)
  const address = await listen(server, host, port)
  await warn(service, config, log)
  const work = startBackgroundWork(useCases, { ...observer, emailsAtOneTime })
  log.info({ event: 'started', address, metrics, database: config.database.kind }, 'accepting requests')
  const stop = async (): Promise<void> => {
    log.info({ event: 'stopping' }, 'finishing running requests')
    try {
      const drained = drain.stop(drainMilliseconds)
      await Promise.all([drained, work.stop(drainMilliseconds, drained)])
    } finally {
      await service.close()
    }
    log.info({ event: 'stopped' }, 'stopped')
    log.flush()
  }
  return { address, useCases, ...(demo && { demo }), stop }
}

/** Opens the service and serves the API. Rejects with `StartError`, and closes everything before. */
const serveApi = async (config: ServerConfig, options: ApiOptions): Promise<RunningServer> => {
  await ensureDataFolder(config)
  const signingKey = await signingKeyFor(config)
  const service = await openService(config, { ...options, ...options.observer, signingKey })
  try {
    options.metrics?.watch(service)
    return await serve(service, config, options)
  } catch (cause) {
    await service.close()
    throw cause
  }
}

const metricsDrainMilliseconds = 2000

/**
 * Starts the bundled server in this process. `/metrics` on a port of its own is served from before the start until after the end
 * of the API. Rejects with `StartError` when the database is unreachable or lacks migrations, there is no usable signing key, or
 * an address cannot be used, and closes everything before.
 */
export const startServer = async (
  config: ServerConfig,
  options: StartOptions = {},
): Promise<RunningServer> => {
  const log = options.log ?? createLog(config.logLevel)
  const inLog = eventLogs(log)
  const metrics = config.metrics ? createMetrics(inLog) : undefined
  const api = { ...options, log, observer: metrics?.observer ?? inLog, metrics }
  const { host, metricsPort } = config
  if (metrics === undefined || metricsPort === undefined) return serveApi(config, api)
  const requestLog = { log: inLog.onRequest }
  const server = createHttpServer(createMetricsApp(metrics.text, requestLog).callback(), requestLog)
  const drain = drainable(server)
  const metricsAddress = await listen(server, host, metricsPort, 'METRICS_PORT')
  const end = (): Promise<void> => drain.stop(metricsDrainMilliseconds)
  try {
    const running = await serveApi(config, { ...api, metricsAddress })
    const stop = async (): Promise<void> => {
      try {
        await running.stop()
      } finally {
        await end()
      }
    }
    return { ...running, stop }
  } catch (cause) {
    await end()
    throw cause
  }
}
