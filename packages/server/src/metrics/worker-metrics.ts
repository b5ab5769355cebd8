import { Counter, Gauge, Registry } from 'prom-client'
import type { Snapshot } from './metrics-text.js'

/** What the parent of workers counts. */
export const workerMetrics = (
  running: () => number,
): Readonly<{ ended(): void; snapshot(): Promise<Snapshot> }> => {
  const registry = new Registry()
  const registers = [registry]
  new Gauge({
    name: 'account_import_workers',
    help: 'Worker processes that run.',
    registers,
    collect() {
      this.set(running())
    },
  })
  const ended = new Counter({
    name: 'account_import_worker_ends_total',
    help: 'Worker processes that ended by themselves, and were started again.',
    registers,
  })
  return { ended: () => ended.inc(), snapshot: () => registry.getMetricsAsJSON() }
}
