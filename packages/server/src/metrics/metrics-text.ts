import type { MetricsText } from '@account-import/adapter-http-koa'
import {
  AggregatorRegistry,
  Counter,
  Gauge,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client'

/** All metrics of a process at one moment, as data. */
export type Snapshot = readonly MetricObjectWithValues<MetricValue<string>>[]

const whole = (snapshots: readonly Snapshot[]) => AggregatorRegistry.aggregate(snapshots as Snapshot[])

/** The metrics of several processes as one: what is counted is added up. */
export const metricsText = async (snapshots: readonly Snapshot[]): Promise<MetricsText> => {
  const registry = whole(snapshots)
  return { contentType: registry.contentType, text: await registry.metrics() }
}

/** The same as data. */
export const addedUp = (snapshots: readonly Snapshot[]): Snapshot =>
  whole(snapshots).getMetricsAsArray() as unknown as Snapshot

/** Metrics that only grow; gauges, such as memory, go with their process. */
export const onlyCounted = (snapshot: Snapshot): Snapshot =>
  snapshot.filter(({ type }) => ['counter', 'histogram'].includes(String(type)))

/** The counts of the parent of workers. */
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
