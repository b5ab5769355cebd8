import type { MetricsText } from '@account-import/adapter-http-koa'
import 'reflect-metadata'
import { readConfig } from '../config/read-config.js'
import { createLog, logCrashes } from '../log/create-log.js'
import { createMetrics, type Metrics } from '../metrics/create-metrics.js'
import { keepHeapSmall } from '../process/keep-heap-small.js'
import { type RunningServer, serveApi } from '../serve-api.js'
import { StartError } from '../start-error.js'
import { exchange, type Started } from './exchange.js'

/** Where nobody could be told otherwise, and the server did not end as it should. */
const notWell = 3

let server: Promise<RunningServer> | undefined
let metrics: Metrics | undefined

const serve = async (worker: number): Promise<RunningServer> => {
  const config = readConfig(process.env, 'serve')
  // The parent has read the same environment, and would not have come this far.
  if (config._tag === 'Left')
    throw new StartError('configuration_not_valid', 'The configuration is not valid.')
  const log = createLog(config.right.logLevel, worker)
  logCrashes(log)
  keepHeapSmall()
  if (config.right.metrics) metrics = createMetrics()
  const isBeside = config.right.metrics && config.right.metricsPort === undefined
  const scrape = isBeside ? () => ask('scrape') as Promise<MetricsText> : undefined
  return serveApi(config.right, { log, metrics, scrape })
}

const start = async (): Promise<Started> => {
  server = serve(Number(await ask('number')))
  try {
    return { address: (await server).address }
  } catch (cause) {
    if (cause instanceof StartError) return { failure: { code: cause.code, message: cause.message } }
    throw cause
  }
}

const stop = async (): Promise<void> => {
  try {
    await (await server)?.stop()
  } catch {
    process.exitCode = notWell
  }
}

const ask = exchange(
  {
    send: (message) => process.connected && process.send?.(message),
    onMessage: (listener) => void process.on('message', listener),
  },
  { stop, metrics: async () => metrics?.snapshot() ?? [] },
)

// Terminals and supervisors signal the whole group of processes: when to stop is the parent's to say.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined)

await ask('started', await start())
