import { E } from '@account-import/core/adapter-kit'
import type { ServerConfig } from '../config/server-config.js'
import { type Demo, ensureDemo } from '../demo/ensure-demo.js'
import { createLog, logCrashes } from '../log/create-log.js'
import type { Log } from '../log/log-events.js'
import { requestLog } from '../log/event-logs.js'
import { serveMetricsBeside } from '../metrics/serve-metrics.js'
import { untilSignalled } from '../process/until-signalled.js'
import { openService } from '../service/open-service.js'
import { signingKeyFor } from '../service/keys.js'
import type { StartError } from '../start-error.js'
import { Workers } from '../workers/workers.js'
import { type CliContext, exitCode, startFailure } from './command.js'

export type ServeOptions = Readonly<{ migrate?: true; demo?: true; workers: number }>

/** Says where the service is, and which demo data was made. */
export type Announce = (address: string, made: Demo | undefined) => void

type Running = Readonly<{ address: string; stop(): Promise<boolean> }>

/** Does once what each worker would do: makes the key, migrates, makes demo data. Rejects with `StartError`. */
const prepared = async (config: ServerConfig, { migrate, demo }: ServeOptions) => {
  const service = await openService(config, { migrate: migrate === true })
  try {
    await signingKeyFor(config)
    return demo === true ? await ensureDemo(service.useCases.operator, config.dataDir) : undefined
  } finally {
    await service.close()
  }
}

/** All workers serve, and `/metrics` is answered for all of them. */
const started = async (config: ServerConfig, workers: Workers, log: Log): Promise<Running> => {
  const start = async (metrics?: string): Promise<Running> => {
    const address = await workers.start()
    log.info({ event: 'workers_started', address, metrics }, 'all workers accept requests')
    return { address, stop: () => workers.stop() }
  }
  const { host, metricsPort: port } = config
  return config.metrics && port !== undefined
    ? serveMetricsBeside({ host, port, log: requestLog(log) }, () => workers.scrape(), start)
    : start()
}

/**
 * Serves by several processes until the first SIGTERM or SIGINT, or until they end by themselves again and again. Rejects with
 * `StartError` when they cannot start.
 */
export const serveByWorkers = async (
  { io, finish, end }: CliContext,
  config: ServerConfig,
  options: ServeOptions,
  announce: Announce,
): Promise<void> => {
  const log = createLog(config.logLevel)
  logCrashes(log)
  const demo = await prepared(config, options)
  let onFailed: (error: StartError) => void = () => undefined
  const failed = new Promise<StartError>((resolve) => {
    onFailed = resolve
  })
  const environment = { ...io.environment, LOG_LEVEL: config.logLevel }
  const workers = new Workers({ count: options.workers, environment, log, onFailed })
  const running = await started(config, workers, log)
  const signal = untilSignalled(io.environment).then(() => undefined)
  announce(`${running.address}${config.basePath}`, demo)
  const failure = await Promise.race([signal, failed])
  // Its address was printed already, so the failure is printed as text.
  if (failure !== undefined) finish(E.left(startFailure(failure)), 'asText')
  if (!(await running.stop())) end(exitCode.environment)
}
