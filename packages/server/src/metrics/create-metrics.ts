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
    help: 'E-mails to customers that were tried, by outcome.',
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

const poolGauges = ({ databasePool }: Watched, registers: Registry[]): void => {
  new Gauge({
    name: 'account_import_database_connections',
    help: 'Open connections to the database, by use.',
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

const auditGauge = ({ unsealedSeconds }: Watched, registers: Registry[]): void => {
  new Gauge({
    registers,
    name: 'account_import_audit_unsealed_seconds',
    help: 'For how long the oldest audit event has waited to be sealed; 0 where none waits.',
    async collect() {
      const seconds = await unsealedSeconds()
      if (seconds === undefined) return this.remove()
      this.set(seconds)
    },
  })
}

const clockGauge = ({ clockLeads }: Watched, registers: Registry[]): void => {
  new Gauge({
    registers,
    name: 'account_import_clock_lead_seconds',
    help: 'How far the clock of the service is ahead of the clock of its machine (wall) and of the database; negative: behind.',
    labelNames: ['over'],
    async collect() {
      this.reset()
      const leads = await clockLeads()
      if (leads === undefined) return
      this.set({ over: 'wall' }, leads.wall)
      if (leads.database !== undefined) this.set({ over: 'database' }, leads.database)
    },
  })
}

/**
 * False for delays of the event loop without a measurement. Each reading resets them: an immediate second reading would report a
 * minimum of 292 years.
 */
const isMeasured = ({ name, values }: MetricObjectWithValues<MetricValue<string>>): boolean =>
  !name.startsWith('nodejs_eventloop_lag_') || values.every(({ value }) => Number(value) < 1e9)

/** An observer that calls `next`, then counts the event. */
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

/** The metrics of one process. All labels have values from closed sets, none from a request. */
export const createMetrics = (next: ServerObserver) => {
  const registry = new Registry()
  // Created here, not at the first reading, because it measures from its creation on.
  const ofProcess = processMetrics()
  return {
    observer: counting(registry, next),
    /** Adds the gauges of `watched`, which each reading of the metrics calls. Call it once. */
    watch: (watched: Watched): void => {
      poolGauges(watched, [registry])
      outboxGauges(watched, [registry])
      auditGauge(watched, [registry])
      clockGauge(watched, [registry])
    },
    text: async (): Promise<MetricsText> => {
      const all = await Promise.all([ofProcess.getMetricsAsJSON(), registry.getMetricsAsJSON()])
      const whole = AggregatorRegistry.aggregate([all.flat().filter(isMeasured)])
      return { contentType: whole.contentType, text: await whole.metrics() }
    },
  }
}
