import { createApp, createHttpServer } from '@account-import/adapter-http-koa'
import type { UseCases } from '@account-import/core'
import type { Logger } from 'pino'
import type { ServerConfig } from './config/server-config.js'
import { drainable } from './http/drain.js'
import { listen } from './http/listen.js'
import type { Observers } from './container/create-container.js'
import { createLog } from './log/create-log.js'
import { documentFailureLog } from './log/document-failure-log.js'
import { requestLog } from './log/request-log.js'
import { ensureDataFolder } from './service/data-folder.js'
import { openService, type Service, type ServiceOptions } from './service/open-service.js'
import { signingKeyFor } from './service/signing-key-for.js'

export type StartOptions = Omit<ServiceOptions, 'signingKey' | keyof Observers> &
  Readonly<{
    /** Default: JSON lines on stderr at the configured level. */
    log?: Logger
    /** How long `stop` waits for running requests, milliseconds; 10 000 when absent. */
    drainMilliseconds?: number
  }>

/** A server that accepts requests. */
export type RunningServer = Readonly<{
  /** Such as `http://127.0.0.1:8080`; the configured base path comes after it. */
  address: string
  useCases: UseCases
  /** Finishes running requests, then closes connections and database. */
  stop(): Promise<void>
}>

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
    log: requestLog(log),
  })
  const server = createHttpServer(app.callback(), { log: requestLog(log) })
  const drain = drainable(server)
  const address = await listen(server, config.host, config.port)
  log.info({ event: 'started', address, database: config.database.kind }, 'accepting requests')
  const stop = async (): Promise<void> => {
    log.info({ event: 'stopping' }, 'finishing running requests')
    try {
      await drain.stop(options.drainMilliseconds ?? 10_000)
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
    onRetry: (retry) => log.warn({ event: 'retry', ...retry }, 'the database asked for work to be run again'),
  })
  try {
    return await serve(service, config, log, options)
  } catch (cause) {
    await service.close()
    throw cause
  }
}
