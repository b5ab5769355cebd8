import type { LogEntry } from '@account-import/adapter-http-koa'
import { DocumentStorageError } from '@account-import/adapter-object-storage'
import type { BackgroundObserver, Chore } from '@account-import/core/background'
import type { Observers } from '../container/create-container.js'
import type { OnHealthChange } from '../health/service-health.js'
import type { Log } from './log-events.js'

/** Callbacks for the events of a server. */
export type ServerObserver = Observers &
  BackgroundObserver &
  Readonly<{ onRequest(entry: LogEntry): void; onHealthChange: OnHealthChange }>

/** Event and message of each chore that failed. */
const failures = {
  api_key_uses: ['key_uses', 'left undone; it is tried again'],
  audit: ['audit', 'what was recorded is not sealed; it is tried again'],
  emails: ['email_store', 'the outbox of e-mails failed; it is tried again'],
  idempotency_records: ['idempotency_records', 'left undone; it is tried again'],
  staged_data: ['staged_data', 'left undone; it is tried again'],
  webhooks: ['webhook_store', 'the waiting messages of webhooks failed; it is tried again'],
} as const satisfies Readonly<Record<Chore, readonly [event: string, message: string]>>

const needsOperator: ReadonlySet<string> = new Set(['refused', 'unavailable', 'unreachable'])

/** Logs each request at the level of its entry, which by its contract contains no value of a payload. */
const requestLog =
  (log: Log): ServerObserver['onRequest'] =>
  ({ level, ...entry }) => {
    switch (level) {
      case 'debug':
        return log.debug(entry, 'request')
      case 'info':
        return log.info(entry, 'request')
      case 'warn':
        return log.warn(entry, 'request')
      case 'error':
        return log.error(entry, 'request')
    }
  }

/** Logs the events of a server. No entry contains data of a payload or a customer, a path or a secret. */
export const eventLogs = (log: Log): ServerObserver => ({
  onRequest: requestLog(log),
  onHealthChange: ({ advice = 'does not work', ...change }) => {
    if (change.state === 'ok') log.info({ event: 'health', ...change }, 'works again')
    else log.warn({ event: 'health', ...change }, advice)
  },
  onRetry: (retry) => log.warn({ event: 'retry', ...retry }, 'the database asked for work to be run again'),
  onClockWentBack: (milliseconds) =>
    log.warn(
      { event: 'clock_went_back', seconds: Math.round(milliseconds / 1000) },
      'the clock of the machine was ahead and is right again: what was recorded meanwhile has later times',
    ),
  onDocumentFailure: ({ kind, cause }) =>
    log.warn(
      { event: 'document_storage', kind, ...(cause instanceof DocumentStorageError && { code: cause.code }) },
      'the document storage failed, so documents were not checked',
    ),
  onVendorAsked: ({ failure, ...asked }) => {
    const fault = failure === undefined ? {} : { fault: failure }
    const entry = { event: 'payment_vendor' as const, ...asked, ...fault }
    if (needsOperator.has(asked.outcome)) log.warn(entry, 'a payment vendor was asked')
    else log.info(entry, 'a payment vendor was asked')
  },
  onEmail: ({ id, outcome, code }) => {
    const entry = { event: 'email' as const, id, outcome, ...(code !== undefined && { code }) }
    if (code === undefined) log.debug(entry, 'e-mail to customers')
    else log.warn(entry, 'e-mail to customers')
  },
  onFailure: ({ chore, failure: { kind, operation } }) => {
    const [event, message] = failures[chore]
    log.warn({ event, kind, operation }, message)
  },
  onStagedDataRemoved: (accounts) =>
    log.info({ event: 'staged_data_removed', accounts }, 'staged data was due'),
  // The address of a webhook is left out, as it may contain a secret.
  onWebhook: ({ webhook, id, outcome, code }) => {
    const entry = { event: 'webhook' as const, webhook, id, outcome, ...(code !== undefined && { code }) }
    if (code === undefined) log.debug(entry, 'message to a webhook')
    else log.warn(entry, 'message to a webhook')
  },
})
