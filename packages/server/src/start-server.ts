import { createApp, createHttpServer } from '@account-import/adapter-http-koa'
import type { UseCases } from '@account-import/core'
import type { Logger } from 'pino'
import type { ServerConfig } from './config/server-config.js'
import { vendorWarnings } from './config/vendor-warnings.js'
import { drainable } from './http/drain.js'
import { listen } from './http/listen.js'
import type { Observers } from './container/create-container.js'
import { startEmailRelay, type EmailRelay } from './emails/email-relay.js'
import { createLog } from './log/create-log.js'
import { documentFailureLog } from './log/document-failure-log.js'
import { healthLog } from './log/health-log.js'
import { emailLog } from './log/email-log.js'
import { vendorLog } from './log/vendor-log.js'
import { requestLog } from './log/request-log.js'
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

/** Delivers e-mails to customers, where there is a channel to them; where one is missed, the log says so. */
const relayOf = async (
  { useCases: { emails, operator } }: Service,
  config: ServerConfig,
  log: Logger,
): Promise<EmailRelay | undefined> => {
  if (emails.canSend) return startEmailRelay(emails, config.mailConcurrency, emailLog(log))
  const suppliers = await operator.listSuppliers()()
  if (suppliers._tag === 'Right' && suppliers.right.some(({ settings }) => settings.migrationEmails))
    log.warn({ event: 'emails_wait' }, 'SMTP_URL is not set: e-mails to customers are kept, and not sent')
  return undefined
}

const serve = async (
  service: Service,
  config: ServerConfig,
  log: Logger,
  options: StartOptions,
): Promise<RunningServer> => {
  const app = createApp(service.useCases, {
    basePath: config.basePath,
    production: config.production,
    trustProxy: config.trustProxy,
    readiness: service.readiness,
    markets: service.markets,
    log: requestLog(log),
  })
  const server = createHttpServer(app.callback(), { log: requestLog(log) })
  const drain = drainable(server)
  const address = await listen(server, config.host, config.port)
  for (const { vendor, warning } of vendorWarnings(config))
    log.warn({ event: 'payment_vendor_setting', vendor }, warning)
  const relay = await relayOf(service, config, log)
  log.info({ event: 'started', address, database: config.database.kind }, 'accepting requests')
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

/**
 * Starts the bundled server in this process. Rejects with `StartError` when the database cannot be reached or
 * lacks migrations, the signing key cannot be had, or the address cannot be used; then nothing stays open.
 */
export const startServer = async (
  config: ServerConfig,
  options: StartOptions = {},
): Promise<RunningServer> => {
  await ensureDataFolder(config)
  const log = options.log ?? createLog(config.logLevel)
  const service = await openService(config, {
    ...options,
    signingKey: await signingKeyFor(config),
    onDocumentFailure: documentFailureLog(log),
    onHealthChange: healthLog(log),
    onVendorAsked: vendorLog(log),
    onRetry: (retry) => log.warn({ event: 'retry', ...retry }, 'the database asked for work to be run again'),
  })
  try {
    return await serve(service, config, log, options)
  } catch (cause) {
    await service.close()
    throw cause
  }
}
