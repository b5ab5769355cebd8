import type { BackgroundObserver } from '@account-import/core/background'
import type { EmailOutcome, PortFailure } from '@account-import/core'
import type { Observers } from '../container/create-container.js'
import { Counter, Histogram, type Registry } from 'prom-client'
import { fromZero } from './from-zero.js'

const outcomes: readonly EmailOutcome['outcome'][] = ['sent', 'deferred', 'parked', 'released', 'lease_lost']
const kinds: readonly PortFailure['kind'][] = ['unavailable', 'unexpected']
const durations = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** What is counted of calls to others: payment vendors, the document storage, the mail server. */
export type OutsideMetrics = Pick<Required<Observers>, 'onVendorAsked' | 'onDocumentFailure'> &
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
