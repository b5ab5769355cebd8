import type { AccountPayload } from '@account-import/core'
import type { ListTable, TableRows } from './table-rows.js'

const statementFields = [
  'bill_period_from_date',
  'bill_period_to_date',
  'statement_path',
  'statement_id',
  'supply_type',
] as const

const scheduleColumns = [
  'ordinal',
  'means',
  'start_date',
  'end_date',
  'payment_trigger',
  'amount',
  'frequency',
  'day_of_month',
]

/** What was billed, and how it is paid. */
export const billingTables = (account: AccountPayload, list: ListTable): readonly TableRows[] => [
  list('statements', ['ordinal', ...statementFields], account.statements, (each, ordinal) => [
    ordinal,
    ...statementFields.map((name) => each[name]),
  ]),
  list('payment_schedules', scheduleColumns, account.payment_schedules, (each, ordinal) => [
    ordinal,
    each.means,
    each.start_date,
    each.end_date,
    each.trigger ?? 'REGULAR',
    each.amount,
    each.frequency,
    each.day_of_month,
  ]),
]
