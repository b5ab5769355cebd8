import type { MetricsText } from '@account-import/adapter-http-koa'
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue } from 'prom-client'

/** All metrics of a process at one moment; may be sent as JSON. */
export type Snapshot = readonly MetricObjectWithValues<MetricValue<string>>[]

/** The metrics of several processes as one: what is counted is added up. */
export const metricsText = async (snapshots: readonly Snapshot[]): Promise<MetricsText> => {
  const whole = AggregatorRegistry.aggregate(snapshots as Snapshot[])
  return { contentType: whole.contentType, text: await whole.metrics() }
}
