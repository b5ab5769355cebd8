import { createApp, createHttpServer, type MetricsText } from '@account-import/adapter-http-koa'
import type { UseCases } from '@account-import/core'
import type { Logger } from 'pino'
import type { ServerConfig } from './config/server-config.js'
import { vendorWarnings } from './config/vendor-warnings.js'
import type { Observers } from './container/create-container.js'
import { startEmailRelay, type EmailRelay } from './emails/email-relay.js'
import { drainable } from './http/drain.js'
import { listen } from './http/listen.js'
import { healthLog } from './log/health-log.js'
import type { Metrics } from './metrics/create-metrics.js'
import { observed, type Observed } from './observed.js'
import { ensureDataFolder } from './service/data-folder.js'
import { openService, type Service, type ServiceOptions } from './service/open-service.js'
import { signingKeyFor } from './service/signing-key-for.js'

export type StartOptions = Omit<ServiceOptions, 'signingKey' | 'onHealthChange' | keyof Observers> &
  Readonly<{
    /** Default: JSON lines on stderr at the configured level. */
    log?: Logger
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
    log: Logger
    /** Counts what happens. */
    metrics?: Metrics | undefined
    /** What `/metrics` answers beside the API; nothing when left out. */
    scrape?: (() => Promise<MetricsText>) | undefined
    /** Where `/metrics` is answered otherwise, for the log. */
    metricsAddress?: string | undefined
  }>

/** Delivers e-mails to customers, where there is a channel to them; where one is missed, the log says so. */
const relayOf = async (
  { useCases: { emails, operator } }: Service,
  config: ServerConfig,
  log: Logger,
  { relay }: Observed,
): Promise<EmailRelay | undefined> => {
  if (emails.canSend) return startEmailRelay(emails, config.mailConcurrency, relay)
  const suppliers = await operator.listSuppliers()()
  if (suppliers._tag === 'Right' && suppliers.right.some(({ settings }) => settings.migrationEmails))
    log.warn({ event: 'emails_wait' }, 'SMTP_URL is not set: e-mails to customers are kept, and not sent')
  return undefined
}

const serve = async (
  service: Service,
  config: ServerConfig,
  told: Observed,
  options: ApiOptions,
): Promise<RunningServer> => {
  const { log, scrape, metricsAddress: metrics } = options
  const app = createApp(service.useCases, {
    basePath: config.basePath,
    production: config.production,
    trustProxy: config.trustProxy,
    readiness: service.readiness,
    ...(scrape && { metrics: scrape }),
    markets: service.markets,
    log: told.request,
  })
  const server = createHttpServer(app.callback(), { log: told.request })
  const drain = drainable(server)
  const address = await listen(server, config.host, config.port)
  for (const { vendor, warning } of vendorWarnings(config))
    log.warn({ event: 'payment_vendor_setting', vendor }, warning)
  const relay = await relayOf(service, config, log, told)
  log.info({ event: 'started', address, metrics, database: config.database.kind }, 'accepting requests')
  const stop = async (): Promise<void> => {
    log.info({ event: 'stopping' }, 'finishing running requests')
    const milliseconds = options.drainMilliseconds ?? 10_000
    try {
      await Promise.all([drain.stop(milliseconds), relay?.stop(milliseconds)])
    } finally {
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
