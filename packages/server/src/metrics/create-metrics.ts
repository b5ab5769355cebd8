import type { MetricsText } from '@account-import/adapter-http-koa'
import type { PoolUse, RetryReason } from '@account-import/adapter-sql'
import type { EmailOutcome, OutboxBacklog, PortFailure } from '@account-import/core'
import {
  AggregatorRegistry,
  collectDefaultMetrics,
  type Counter,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client'
import type { ServerObserver } from '../log/event-logs.js'
import { type Instruments, instrumentsOf } from './instruments.js'
import { requestMetrics } from './request-metrics.js'

/** Starts a series at 0: a series that starts with its first event shows no increase for that event. */
const fromZero = <Label extends string>(
  counter: Counter<Label>,
  label: Label,
  values: readonly string[],
): void => {
  for (const value of values) counter.inc({ [label]: value } as Record<Label, string>, 0)
}

const reasons: readonly RetryReason[] = ['deadlock', 'lock_wait', 'certification', 'read_only', 'busy']
const outcomes: readonly EmailOutcome['outcome'][] = ['sent', 'deferred', 'parked', 'released', 'lease_lost']
const kinds: readonly PortFailure['kind'][] = ['unavailable', 'unexpected']

/** Metrics of the database adapter, and of calls to payment vendors, document storage and mail server. */
const measuresOf = ({ counter, histogram }: Instruments) => ({
  retries: counter('database_retries_total', 'Work that the database asked to be run again.', 'reason'),
  batches: histogram(
    'batch_size',
    'How much work of one kind went to the database together.',
    [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
    'work',
  ),
  wait: histogram(
    'database_wait_seconds',
    'How long calls waited for a connection of the pool.',
    [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30],
  ),
  vendorCalls: counter(
    'payment_vendor_calls_total',
    'Calls of payment vendors, by the configured code of the vendor.',
    'vendor',
    'outcome',
  ),
  vendorDuration: histogram(
    'payment_vendor_duration_seconds',
    'How long payment vendors took, all tries together.',
    [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    'vendor',
  ),
  documents: counter('document_storage_failures_total', 'Calls of the document storage that failed.', 'kind'),
  emails: counter('emails_total', 'E-mails to customers that were tried, by outcome.', 'outcome'),
  emailStore: counter(
    'email_store_failures_total',
    'Times that the outbox could not be read or written.',
    'kind',
  ),
})

let sharedRegistry: Registry | undefined

/** Metrics of the process: memory, processor, delays of the event loop. All servers in the process share one registry. */
const processMetrics = (): Registry => {
  if (sharedRegistry === undefined) {
    sharedRegistry = new Registry()
    collectDefaultMetrics({ register: sharedRegistry })
  }
  return sharedRegistry
}

/** The sources of gauges, read at each reading of the metrics. */
type Watched = Readonly<{
  databasePool(): PoolUse
  /** Undefined where the outbox cannot be read now. */
  outboxBacklog(): Promise<OutboxBacklog | undefined>
  /** Undefined where the audit log cannot be read now. */
  unsealedSeconds(): Promise<number | undefined>
  /** Undefined where the clocks cannot be read now. */
  clockLeads(): Promise<Readonly<{ wall: number; database: number | undefined }> | undefined>
}>

const poolGauges = ({ gauge }: Instruments, { databasePool }: Watched): void => {
  gauge('database_connections', 'Open connections to the database, by use.', 'state', () => {
    const { used, free } = databasePool()
    return { used, free }
  })
  gauge('database_connections_limit', 'Most connections that may be open.', undefined, () => ({
    '': databasePool().most,
  }))
  gauge('database_calls_waiting', 'Calls that wait for a connection now.', undefined, () => ({
    '': databasePool().waiting,
  }))
}

const secondsOverdue = ({ firstDueAt: due }: OutboxBacklog): number =>
  due === undefined ? 0 : Math.max(0, (Date.now() - Date.parse(due)) / 1000)

const gauges = ({ gauge }: Instruments, { outboxBacklog, unsealedSeconds, clockLeads }: Watched): void => {
  gauge(
    'outbox_emails',
    'E-mails to customers that are not sent, counted up to 10 000; absent while the outbox cannot be read.',
    'state',
    async () => {
      const backlog = await outboxBacklog()
      return { waiting: backlog?.waiting, parked: backlog?.parked }
    },
  )
  gauge(
    'outbox_overdue_seconds',
    'For how long the e-mail that has been due longest is overdue; 0 where none is.',
    undefined,
    async () => {
      const backlog = await outboxBacklog()
      return { '': backlog && secondsOverdue(backlog) }
    },
  )
  gauge(
    'audit_unsealed_seconds',
    'For how long the oldest audit event has waited to be sealed; 0 where none waits.',
    undefined,
    async () => ({ '': await unsealedSeconds() }),
  )
  gauge(
    'clock_lead_seconds',
    'How far the clock of the service is ahead of the clock of its machine (wall) and of the database; negative: behind.',
    'over',
    async () => ({ ...(await clockLeads()) }),
  )
}

/**
 * False for delays of the event loop without a measurement. Each reading resets them: an immediate second reading would report a
 * minimum of 292 years.
 */
const isMeasured = ({ name, values }: MetricObjectWithValues<MetricValue<string>>): boolean =>
  !name.startsWith('nodejs_eventloop_lag_') || values.every(({ value }) => Number(value) < 1e9)

/** An observer that calls `next`, then counts the event. */
const counting = (registry: Registry, next: ServerObserver): ServerObserver => {
  const of = instrumentsOf(registry)
  const { retries, batches, wait, vendorCalls, vendorDuration, documents, emails, emailStore } =
    measuresOf(of)
  fromZero(retries, 'reason', reasons)
  fromZero(documents, 'kind', kinds)
  fromZero(emails, 'outcome', outcomes)
  fromZero(emailStore, 'kind', kinds)
  const countRequest = requestMetrics(of)
  return {
    ...next,
    onRequest: (entry) => {
      next.onRequest(entry)
      countRequest(entry)
    },
    onRetry: (retry) => {
      next.onRetry?.(retry)
      retries.inc({ reason: retry.reason })
    },
    onBatch: ({ work, size }) => batches.observe({ work }, size),
    onConnectionWait: (milliseconds) => wait.observe(milliseconds / 1000),
    onVendorAsked: (asked) => {
      next.onVendorAsked?.(asked)
      const { vendor, outcome, milliseconds } = asked
      vendorCalls.inc({ vendor, outcome })
      vendorDuration.observe({ vendor }, milliseconds / 1000)
    },
    onDocumentFailure: (failure) => {
      next.onDocumentFailure?.(failure)
      documents.inc({ kind: failure.kind })
    },
    onEmail: (email) => {
      next.onEmail(email)
      emails.inc({ outcome: email.outcome })
    },
    onFailure: (failed) => {
      next.onFailure(failed)
      if (failed.chore === 'emails') emailStore.inc({ kind: failed.failure.kind })
    },
  }
}

/** The metrics of one process. All labels have values from closed sets, none from a request. */
export const createMetrics = (next: ServerObserver) => {
  const registry = new Registry()
  // Created here, not at the first reading, because it measures from its creation on.
  const ofProcess = processMetrics()
  return {
    observer: counting(registry, next),
    /** Adds the gauges of `watched`, which each reading of the metrics calls. Call it once. */
    watch: (watched: Watched): void => {
      const of = instrumentsOf(registry)
      poolGauges(of, watched)
      gauges(of, watched)
    },
    text: async (): Promise<MetricsText> => {
      const all = await Promise.all([ofProcess.getMetricsAsJSON(), registry.getMetricsAsJSON()])
      const whole = AggregatorRegistry.aggregate([all.flat().filter(isMeasured)])
      return { contentType: whole.contentType, text: await whole.metrics() }
    },
  }
}
