import type { CustomerEmail, EmailState, NewCustomerEmail } from '@account-import/core'
import { importKeyOf, importKeyRow, type ImportKeyRow } from './import-key.js'
import { fromSqlInstant, toSqlInstant } from './instants.js'
import { jsonColumn } from './json-column.js'
import type { NewRow } from './row.js'
import { listOf, number } from './shapes.js'

export type CustomerEmailRow = ImportKeyRow &
  Readonly<{
    id: string
    platform_account_number: string
    language: string
    enqueued_at: string
    attempts: number
    served: string
    latest_failure_code: string | null
    latest_failure_at: string | null
  }> &
  (
    | Readonly<{ state: 'waiting'; due_at: string; claim_token: string | null; settled_at: null }>
    | Readonly<{ state: 'parked' | 'sent'; due_at: null; claim_token: null; settled_at: string }>
  )

/** The places of the recipients that have theirs already. */
export const served = jsonColumn('customer_emails.served', listOf(number))

export const newCustomerEmailRow = (email: NewCustomerEmail): NewRow<CustomerEmailRow> => ({
  ...importKeyRow(email.key),
  id: email.id,
  platform_account_number: email.platformAccountNumber,
  language: email.language,
  enqueued_at: toSqlInstant(email.enqueuedAt),
  state: 'waiting',
  due_at: toSqlInstant(email.enqueuedAt),
  claim_token: null,
  settled_at: null,
  attempts: 0,
  served: served.toText([]),
  latest_failure_code: null,
  latest_failure_at: null,
})

const stateOf = (row: CustomerEmailRow): EmailState => {
  if (row.state !== 'waiting') return { _tag: row.state, at: fromSqlInstant(row.settled_at) }
  const dueAt = fromSqlInstant(row.due_at)
  return row.claim_token === null
    ? { _tag: 'waiting', dueAt }
    : { _tag: 'sending', token: row.claim_token, leaseEndsAt: dueAt }
}

export const customerEmailOf = (row: CustomerEmailRow): CustomerEmail => ({
  id: row.id,
  key: importKeyOf(row),
  platformAccountNumber: row.platform_account_number,
  language: row.language,
  enqueuedAt: fromSqlInstant(row.enqueued_at),
  attempts: row.attempts,
  served: served.fromText(row.served),
  latestFailure:
    row.latest_failure_code === null || row.latest_failure_at === null
      ? undefined
      : { code: row.latest_failure_code, occurredAt: fromSqlInstant(row.latest_failure_at) },
  state: stateOf(row),
})
