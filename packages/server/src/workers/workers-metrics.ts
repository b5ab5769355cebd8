import type { MetricsText } from '@account-import/adapter-http-koa'
import { addedUp, metricsText, onlyCounted, type Snapshot } from '../metrics/metrics-text.js'
import { workerMetrics } from '../metrics/worker-metrics.js'
import type { WorkerProcess } from './worker-process.js'

export type WorkersMetrics = Readonly<{
  /** The metrics of all workers as one. */
  scrape(): Promise<MetricsText>
  /** What the worker counted stays in the sums: counts that fell would look as if all had begun anew. */
  ended(worker: WorkerProcess): void
}>

export const workersMetrics = (running: () => readonly WorkerProcess[]): WorkersMetrics => {
  const own = workerMetrics(() => running().length)
  const latest = new Map<WorkerProcess, Snapshot>()
  let gone: Snapshot = []
  const look = async (worker: WorkerProcess): Promise<void> => {
    const snapshot = await worker.metrics()
    // It may have ended meanwhile.
    if (snapshot !== undefined && running().includes(worker)) latest.set(worker, snapshot)
  }
  return {
    scrape: async () => {
      await Promise.all(running().map(look))
      return metricsText([...latest.values(), gone, await own.snapshot()])
    },
    ended: (worker) => {
      own.ended()
      const last = latest.get(worker)
      latest.delete(worker)
      if (last !== undefined) gone = addedUp([gone, onlyCounted(last)])
    },
  }
}
