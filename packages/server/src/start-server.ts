import type { ServerConfig } from './config/server-config.js'
import { createLog } from './log/create-log.js'
import { requestLog } from './log/request-log.js'
import { createMetrics } from './metrics/create-metrics.js'
import { metricsText } from './metrics/metrics-text.js'
import { serveMetricsBeside } from './metrics/serve-metrics.js'
import { type RunningServer, serveApi, type StartOptions } from './serve-api.js'

/**
 * Starts the bundled server in this process. Rejects with `StartError` when the database cannot be reached or
 * lacks migrations, the signing key cannot be had, or an address cannot be used; then nothing stays open.
 */
export const startServer = (config: ServerConfig, options: StartOptions = {}): Promise<RunningServer> => {
  const log = options.log ?? createLog(config.logLevel)
  if (!config.metrics) return serveApi(config, { ...options, log })
  const metrics = createMetrics()
  const scrape = async () => metricsText([await metrics.snapshot()])
  const { host, metricsPort: port } = config
  if (port === undefined) return serveApi(config, { ...options, log, metrics, scrape })
  return serveMetricsBeside({ host, port, log: requestLog(log) }, scrape, (metricsAddress) =>
    serveApi(config, { ...options, log, metrics, metricsAddress }),
  )
}
