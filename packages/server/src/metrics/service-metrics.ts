import type { PoolUse, RetryReason } from '@account-import/adapter-sql'
import type { EmailOutcome, OutboxBacklog, PortFailure } from '@account-import/core'
import type { BackgroundObserver } from '@account-import/core/background'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Observers } from '../container/create-container.js'

/** Shows the series from the beginning: of one that begins with its first event, that event is no increase. */
export const fromZero = <Label extends string>(
  counter: Counter<Label>,
  label: Label,
  values: readonly string[],
): Counter<Label> => {
  for (const value of values) counter.inc({ [label]: value } as Record<Label, string>, 0)
  return counter
}

const waits = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30]
const reasons: readonly RetryReason[] = ['deadlock', 'lock_wait', 'certification', 'read_only', 'busy']
const sizes = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]

/** Counts what the database adapter tells: what is run again, what goes together, and how long a connection is waited for. */
export const databaseMetrics = (
  registry: Registry,
): Pick<Required<Observers>, 'onRetry' | 'onBatch' | 'onConnectionWait'> => {
  const registers = [registry]
  const retries = new Counter({
    name: 'account_import_database_retries_total',
    help: 'Work that the database asked to be run again.',
    labelNames: ['reason'],
    registers,
  })
  fromZero(retries, 'reason', reasons)
  const batches = new Histogram({
    name: 'account_import_batch_size',
    help: 'How much work of one kind went to the database together.',
    labelNames: ['work'],
    buckets: sizes,
    registers,
  })
  const wait = new Histogram({
    name: 'account_import_database_wait_seconds',
    help: 'How long calls waited for a connection of the pool.',
    buckets: waits,
    registers,
  })
  return {
    onRetry: ({ reason }) => retries.inc({ reason }),
    onBatch: ({ work, size }) => batches.observe({ work }, size),
    onConnectionWait: (milliseconds) => wait.observe(milliseconds / 1000),
  }
}

const outcomes: readonly EmailOutcome['outcome'][] = ['sent', 'deferred', 'parked', 'released', 'lease_lost']
const kinds: readonly PortFailure['kind'][] = ['unavailable', 'unexpected']
const durations = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Counts of calls to others: payment vendors, the document storage, the mail server. */
type OutsideMetrics = Pick<Required<Observers>, 'onVendorAsked' | 'onDocumentFailure'> &
  Readonly<{ relay: Pick<BackgroundObserver, 'onEmail' | 'onFailure'> }>

const vendorMetrics = (registers: Registry[]): OutsideMetrics['onVendorAsked'] => {
  const calls = new Counter({
    name: 'account_import_payment_vendor_calls_total',
    help: 'Calls of payment vendors, by the configured code of the vendor.',
    labelNames: ['vendor', 'outcome'],
    registers,
  })
  const duration = new Histogram({
    name: 'account_import_payment_vendor_duration_seconds',
    help: 'How long payment vendors took, all tries together.',
    labelNames: ['vendor'],
    buckets: durations,
    registers,
  })
  return ({ vendor, outcome, milliseconds }) => {
    calls.inc({ vendor, outcome })
    duration.observe({ vendor }, milliseconds / 1000)
  }
}

const emailMetrics = (registers: Registry[]): Pick<BackgroundObserver, 'onEmail' | 'onFailure'> => {
  const emails = new Counter({
    name: 'account_import_emails_total',
    help: 'E-mails to customers that were tried, by what became of them.',
    labelNames: ['outcome'],
    registers,
  })
  const failures = new Counter({
    name: 'account_import_email_store_failures_total',
    help: 'Times that the outbox could not be read or written.',
    labelNames: ['kind'],
    registers,
  })
  fromZero(emails, 'outcome', outcomes)
  fromZero(failures, 'kind', kinds)
  return {
    onEmail: ({ outcome }) => emails.inc({ outcome }),
    onFailure: ({ chore, failure: { kind } }) => {
      if (chore === 'emails') failures.inc({ kind })
    },
  }
}

export const outsideMetrics = (registry: Registry): OutsideMetrics => {
  const registers = [registry]
  const documents = new Counter({
    name: 'account_import_document_storage_failures_total',
    help: 'Calls of the document storage that failed.',
    labelNames: ['kind'],
    registers,
  })
  fromZero(documents, 'kind', kinds)
  return {
    onVendorAsked: vendorMetrics(registers),
    onDocumentFailure: ({ kind }) => documents.inc({ kind }),
    relay: emailMetrics(registers),
  }
}

let kept: Registry | undefined

/** Metrics of the process itself: memory, processor, delays of the event loop. One registry, however many servers run in it. */
export const processMetrics = (): Registry => {
  if (kept === undefined) {
    kept = new Registry()
    collectDefaultMetrics({ register: kept })
  }
  return kept
}

/** Gauges that are read together with the metrics. */
export type Watched = Readonly<{
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

/** Registers what is not counted but looked at, each time that metrics are read. */
export const watchedGauges = (registry: Registry, watched: Watched): void => {
  poolGauges(watched, [registry])
  outboxGauges(watched, [registry])
}
