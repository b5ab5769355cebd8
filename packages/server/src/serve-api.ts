import {
  createApp,
  createHttpServer,
  type KeyLimitsOptions,
  KeyRate,
  type MetricsText,
} from '@account-import/adapter-http-koa'
import type { UseCases } from '@account-import/core'
import { startBackgroundWork } from '@account-import/core/background'
import { isOpenToNetwork, vendorWarnings } from './config/production.js'
import type { ServerConfig } from './config/server-config.js'
import type { ContainerOptions } from './container/create-container.js'
import { drainable, listen } from './http/listen.js'
import { healthLog } from './log/failure-logs.js'
import type { Log } from './log/log-events.js'
import { LongBodyThread } from './long-bodies/long-body-thread.js'
import type { Metrics } from './metrics/create-metrics.js'
import { observed, type Observed } from './observed.js'
import { ensureDataFolder } from './service/data-folder.js'
import { reachingText } from './service/document-roots.js'
import { openService, type Service, type ServiceOptions } from './service/open-service.js'
import { signingKeyFor } from './service/signing-key-for.js'

export type StartOptions = Omit<ServiceOptions, 'signingKey' | 'onHealthChange' | keyof ContainerOptions> &
  Readonly<{
    /** Such as a logger of pino. Default: JSON lines on stderr at the configured level. */
    log?: Log
    /** How long `stop` waits for running requests and e-mails, milliseconds; 10 000 when absent. */
    drainMilliseconds?: number
  }>

/** A server that accepts requests. */
export type RunningServer = Readonly<{
  /** Such as `http://127.0.0.1:8080`; the configured base path comes after it. */
  address: string
  useCases: UseCases
  /** Finishes running requests and e-mails that are being sent, then closes connections and database. */
  stop(): Promise<void>
}>

/** How the API is served, besides its configuration. */
export type ApiOptions = StartOptions &
  Readonly<{
    log: Log
    /** Counts what happens. */
    metrics?: Metrics | undefined
    /** The answer of `/metrics` beside the API; nothing when left out. */
    scrape?: (() => Promise<MetricsText>) | undefined
    /** Where `/metrics` is answered otherwise, for the log. */
    metricsAddress?: string | undefined
  }>

/** Where e-mails to customers are kept and there is no channel to them, the log says so. */
const tellOfWaitingEmails = async ({ useCases: { emails, operator } }: Service, log: Log): Promise<void> => {
  if (emails.canSend) return
  const suppliers = await operator.listSuppliers()()
  if (suppliers._tag === 'Right' && suppliers.right.some(({ settings }) => settings.migrationEmails))
    log.warn({ event: 'emails_wait' }, 'SMTP_URL is not set: e-mails to customers are kept, and not sent')
}

/** Roots of two organisations may meet where both were set at the same moment. */
const tellOfRoots = async ({ useCases: { operator } }: Service, log: Log): Promise<void> => {
  const reaching = await operator.listReachingOthers()()
  // A service may start beside a database that takes no writes yet.
  if (reaching._tag === 'Left')
    return log.warn({ event: 'document_roots_unknown' }, 'document roots could not be compared: no database')
  for (const supplier of reaching.right)
    log.warn({ event: 'document_root_shared', supplier: supplier.code }, reachingText(supplier))
}

const limitsOf = (
  { rateLimits }: Service,
  { requestsPerKey: maxInFlight, rateLimitPerKey }: ServerConfig,
): KeyLimitsOptions => ({
  maxInFlight,
  ...(rateLimitPerKey && { rate: new KeyRate(rateLimits, rateLimitPerKey) }),
})

const serve = async (
  service: Service,
  config: ServerConfig,
  told: Observed,
  options: ApiOptions,
): Promise<RunningServer> => {
  const { log, scrape, metricsAddress: metrics } = options
  // A thread knows nothing of modules that replace adapters here, and would open a database in memory of its own.
  const isAlone = options.modules !== undefined || config.database.url === 'sqlite::memory:'
  const thread = isAlone ? undefined : new LongBodyThread(config)
  const app = createApp(service.useCases, {
    basePath: config.basePath,
    introspection: config.introspection,
    trustProxy: config.trustProxy,
    corsOrigins: config.corsOrigins,
    readiness: service.readiness,
    ...(scrape && { metrics: scrape }),
    markets: service.markets,
    limits: limitsOf(service, config),
    ...(thread && { longBodies: thread.longBodies }),
    log: told.request,
  })
  const { maxConnections } = config
  const server = createHttpServer(app.callback(), { maxConnections, log: told.request })
  const drain = drainable(server)
  const address = await listen(server, config.host, config.port)
  if (isOpenToNetwork(config))
    log.warn(
      { event: 'open_to_network', host: config.host },
      'HOST is open to the network and requests come without TLS: put a proxy with TLS in front',
    )
  for (const { vendor, warning } of vendorWarnings(config))
    log.warn({ event: 'payment_vendor_setting', vendor }, warning)
  await tellOfRoots(service, log)
  await tellOfWaitingEmails(service, log)
  // Problems are in the log from the beginning, whether anybody probes or not.
  await service.readiness()
  const work = startBackgroundWork(service.useCases, {
    ...told.background,
    rateLimits: service.rateLimits,
    emailsAtOneTime: config.mailConcurrency,
  })
  log.info({ event: 'started', address, metrics, database: config.database.kind }, 'accepting requests')
  const stop = async (): Promise<void> => {
    log.info({ event: 'stopping' }, 'finishing running requests')
    const milliseconds = options.drainMilliseconds ?? 10_000
    try {
      const drained = drain.stop(milliseconds)
      await Promise.all([drained, work.stop(milliseconds, drained)])
    } finally {
      await thread?.close()
      await service.close()
    }
    log.info({ event: 'stopped' }, 'stopped')
    log.flush()
  }
  return { address, useCases: service.useCases, stop }
}

/** Opens the service and serves the API. Rejects with `StartError`; then nothing stays open. */
export const serveApi = async (config: ServerConfig, options: ApiOptions): Promise<RunningServer> => {
  await ensureDataFolder(config)
  const told = observed(options.log, options.metrics)
  const service = await openService(config, {
    ...options,
    ...told.observers,
    signingKey: await signingKeyFor(config),
    onHealthChange: healthLog(options.log),
  })
  try {
    options.metrics?.watch(service)
    return await serve(service, config, told, options)
  } catch (cause) {
    await service.close()
    throw cause
  }
}
