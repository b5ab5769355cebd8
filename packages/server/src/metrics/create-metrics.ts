import type { LogEntry, MetricsText } from '@account-import/adapter-http-koa'
import type { BackgroundObserver } from '@account-import/core/background'
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, Registry } from 'prom-client'
import type { Observers } from '../container/create-container.js'
import { requestMetrics } from './request-metrics.js'
import {
  databaseMetrics,
  outsideMetrics,
  processMetrics,
  type Watched,
  watchedGauges,
} from './service-metrics.js'

/** The counts of one process. All labels have values from closed sets: none comes from a request. */
export type Metrics = Readonly<{
  onRequest(entry: LogEntry): void
  observers: Required<Observers>
  relay: Pick<BackgroundObserver, 'onEmail' | 'onFailure'>
  /** To be called once: `watched` is looked at each time that metrics are read. */
  watch(watched: Watched): void
  text(): Promise<MetricsText>
}>

/**
 * The delays of the event loop are measured anew after each reading. A reading that follows at once has none: the least of no
 * delays is 292 years, and is left out.
 */
const isMeasured = ({ name, values }: MetricObjectWithValues<MetricValue<string>>): boolean =>
  !name.startsWith('nodejs_eventloop_lag_') || values.every(({ value }) => Number(value) < 1e9)

export const createMetrics = (): Metrics => {
  const registry = new Registry()
  // Measures from when it is made: made when it is first read, it would have nothing to tell.
  const ofProcess = processMetrics()
  const { relay, ...outside } = outsideMetrics(registry)
  return {
    onRequest: requestMetrics(registry),
    observers: { ...databaseMetrics(registry), ...outside },
    relay,
    watch: (watched) => watchedGauges(registry, watched),
    text: async () => {
      const all = await Promise.all([ofProcess.getMetricsAsJSON(), registry.getMetricsAsJSON()])
      const whole = AggregatorRegistry.aggregate([all.flat().filter(isMeasured)])
      return { contentType: whole.contentType, text: await whole.metrics() }
    },
  }
}
