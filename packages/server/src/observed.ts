import type { LogEntry } from '@account-import/adapter-http-koa'
import type { BackgroundObserver } from '@account-import/core/background'
import type { Observers } from './container/create-container.js'
import { backgroundLog, documentFailureLog, requestLog, vendorLog } from './log/event-logs.js'
import type { Log } from './log/log-events.js'
import type { Metrics } from './metrics/create-metrics.js'

/** Listeners for events of a server. */
export type Observed = Readonly<{
  request: (entry: LogEntry) => void
  observers: Observers
  background: BackgroundObserver
}>

const logged = (log: Log) => ({
  request: requestLog(log),
  observers: {
    onDocumentFailure: documentFailureLog(log),
    onVendorAsked: vendorLog(log),
    onRetry: (retry) => log.warn({ event: 'retry', ...retry }, 'the database asked for work to be run again'),
  } satisfies Observers,
  background: backgroundLog(log),
})

const both =
  <A>(first: (what: A) => void, second: (what: A) => void) =>
  (what: A): void => {
    first(what)
    second(what)
  }

/** The log is told, and the metrics where there are some. */
export const observed = (log: Log, metrics: Metrics | undefined): Observed => {
  const inLog = logged(log)
  if (metrics === undefined) return inLog
  const { onRequest, observers, relay } = metrics
  return {
    request: both(inLog.request, onRequest),
    observers: {
      ...observers,
      onDocumentFailure: both(inLog.observers.onDocumentFailure, observers.onDocumentFailure),
      onVendorAsked: both(inLog.observers.onVendorAsked, observers.onVendorAsked),
      onRetry: both(inLog.observers.onRetry, observers.onRetry),
    },
    background: {
      ...inLog.background,
      onEmail: both(inLog.background.onEmail, relay.onEmail),
      onFailure: both(inLog.background.onFailure, relay.onFailure),
    },
  }
}
