import {
  createHttpServer,
  createMetricsApp,
  type LogEntry,
  type MetricsText,
} from '@account-import/adapter-http-koa'
import { drainable, listen } from '../http/listen.js'

/** Something that runs until it is stopped. */
type Running = Readonly<{ stop(): Promise<void> }>

type MetricsPort = Readonly<{
  host: string
  port: number
  /** Gets one entry for each request. */
  log: (entry: LogEntry) => void
}>

const drainMilliseconds = 2000

/**
 * Answers `/metrics` on a port of its own while what `start` gives is running, from before its start until after its end.
 * Rejects with `StartError` when the address cannot be used, and with whatever `start` does; then nothing is left.
 */
export const serveMetricsBeside = async <A extends Running>(
  { host, port, log }: MetricsPort,
  metrics: () => Promise<MetricsText>,
  start: (address: string) => Promise<A>,
): Promise<A> => {
  const server = createHttpServer(createMetricsApp(metrics, { log }).callback(), { log })
  const drain = drainable(server)
  const address = await listen(server, host, port, 'METRICS_PORT')
  const end = (): Promise<void> => drain.stop(drainMilliseconds)
  try {
    const running = await start(address)
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
