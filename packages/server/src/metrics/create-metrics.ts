import type { MetricsText } from '@account-import/adapter-http-koa'
import type { PoolUse, RetryReason } from '@account-import/adapter-sql'
import type { EmailOutcome, OutboxBacklog, PortFailure } from '@account-import/core'
import {
  AggregatorRegistry,
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client'
import type { ServerObserver } from '../log/event-logs.js'
import { requestMetrics } from './request-metrics.js'

/** Shows the series from the beginning: of one that begins with its first event, that event is no increase. */
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

/** What the database adapter tells, and calls to others: payment vendors, the document storage, the mail server. */
const instruments = (registers: Registry[]) => ({
  retries: new Counter({
    name: 'account_import_database_retries_total',
    help: 'Work that the database asked to be run again.',
    labelNames: ['reason'],
    registers,
  }),
  batches: new Histogram({
    name: 'account_import_batch_size',
    help: 'How much work of one kind went to the database together.',
    labelNames: ['work'],
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
    registers,
  }),
  wait: new Histogram({
    name: 'account_import_database_wait_seconds',
    help: 'How long calls waited for a connection of the pool.',
    buckets: [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30],
    registers,
  }),
  vendorCalls: new Counter({
    name: 'account_import_payment_vendor_calls_total',
    help: 'Calls of payment vendors, by the configured code of the vendor.',
    labelNames: ['vendor', 'outcome'],
    registers,
  }),
  vendorDuration: new Histogram({
    name: 'account_import_payment_vendor_duration_seconds',
    help: 'How long payment vendors took, all tries together.',
    labelNames: ['vendor'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  }),
  documents: new Counter({
    name: 'account_import_document_storage_failures_total',
    help: 'Calls of the document storage that failed.',
    labelNames: ['kind'],
    registers,
  }),
  emails: new Counter({
    name: 'account_import_emails_total',
    help: 'E-mails to customers that were tried, by what became of them.',
    labelNames: ['outcome'],
    registers,
  }),
  emailStore: new Counter({
    name: 'account_import_email_store_failures_total',
    help: 'Times that the outbox could not be read or written.',
    labelNames: ['kind'],
    registers,
  }),
})

let kept: Registry | undefined

/** Metrics of the process itself: memory, processor, delays of the event loop. One registry, however many servers run in it. */
const processMetrics = (): Registry => {
  if (kept === undefined) {
    kept = new Registry()
    collectDefaultMetrics({ register: kept })
  }
  return kept
}

/** Gauges that are read together with the metrics. */
type Watched = Readonly<{
  databasePool(): PoolUse
  /** Undefined where the outbox cannot be read now. */
  outboxBacklog(): Promise<OutboxBacklog | undefined>
}>

const poolGauges = ({ databasePool }: Watched, registers: Registry[]): void => {
  new Gauge({
    name: 'account_import_database_connections',
    help: 'Open connections to the database, by whether they have work.',
    labelNames: ['state'],
    registers,
    collect() {
      const { used, free } = databasePool()
      this.set({ state: 'used' }, used)
      this.set({ state: 'free' }, free)
    },
  })
  new Gauge({
    name: 'account_import_database_connections_limit',
    help: 'Most connections that may be open.',
    registers,
    collect() {
      this.set(databasePool().most)
    },
  })
  new Gauge({
    name: 'account_import_database_calls_waiting',
    help: 'Calls that wait for a connection now.',
    registers,
    collect() {
      this.set(databasePool().waiting)
    },
  })
}

const outboxGauges = ({ outboxBacklog }: Watched, registers: Registry[]): void => {
  new Gauge({
    registers,
    name: 'account_import_outbox_emails',
    help: 'E-mails to customers that are not sent, counted up to 10 000; absent while the outbox cannot be read.',
    labelNames: ['state'],
    async collect() {
      this.reset()
      const backlog = await outboxBacklog()
      if (backlog === undefined) return
      this.set({ state: 'waiting' }, backlog.waiting)
      this.set({ state: 'parked' }, backlog.parked)
    },
  })
  new Gauge({
    registers,
    name: 'account_import_outbox_overdue_seconds',
    help: 'For how long the e-mail that has been due longest is overdue; 0 where none is.',
    async collect() {
      const backlog = await outboxBacklog()
      if (backlog === undefined) return this.remove()
      const due = backlog.firstDueAt
      this.set(due === undefined ? 0 : Math.max(0, (Date.now() - Date.parse(due)) / 1000))
    },
  })
}

/**
 * The delays of the event loop are measured anew after each reading. A reading that follows at once has none: the least of no
 * delays is 292 years, and is left out.
 */
const isMeasured = ({ name, values }: MetricObjectWithValues<MetricValue<string>>): boolean =>
  !name.startsWith('nodejs_eventloop_lag_') || values.every(({ value }) => Number(value) < 1e9)

/** Counts what it is told, and tells the next observer first. */
const counting = (registry: Registry, next: ServerObserver): ServerObserver => {
  const { retries, batches, wait, vendorCalls, vendorDuration, documents, emails, emailStore } = instruments([
    registry,
  ])
  fromZero(retries, 'reason', reasons)
  fromZero(documents, 'kind', kinds)
  fromZero(emails, 'outcome', outcomes)
  fromZero(emailStore, 'kind', kinds)
  const countRequest = requestMetrics(registry)
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

/** The counts of one process. All labels have values from closed sets: none comes from a request. */
export const createMetrics = (next: ServerObserver) => {
  const registry = new Registry()
  // Measures from when it is made: made when it is first read, it would have nothing to tell.
  const ofProcess = processMetrics()
  return {
    observer: counting(registry, next),
    /** To be called once: `watched` is looked at each time that metrics are read. */
    watch: (watched: Watched): void => {
      poolGauges(watched, [registry])
      outboxGauges(watched, [registry])
    },
    text: async (): Promise<MetricsText> => {
      const all = await Promise.all([ofProcess.getMetricsAsJSON(), registry.getMetricsAsJSON()])
      const whole = AggregatorRegistry.aggregate([all.flat().filter(isMeasured)])
      return { contentType: whole.contentType, text: await whole.metrics() }
    },
  }
}
