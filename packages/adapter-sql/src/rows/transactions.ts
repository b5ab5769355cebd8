import { toMoney, type Transaction } from '@account-import/core'
import type { Place } from './account-row-key.js'
import { fromJson, toJson } from './json.js'
import type { SqlDecimal } from './money.js'
import { present } from './present.js'
import type { Row } from './row.js'

/** The list of its ledger that a transaction stands in. */
export type TransactionPeriod = 'current' | 'historical'

/** Stands for a ledger on an account without any. */
export const noLedger = -1

/** Where a transaction stands in its account; `copy` counts the transactions of its id that were there before it. */
export type TransactionPlace = Place &
  Readonly<{ ledger_ordinal: number; period: TransactionPeriod; copy: number }>

export type TransactionRow = Readonly<{
  ledger_ordinal: number
  period: TransactionPeriod
  ordinal: number
  transaction_id: string
  transaction_date: string
  amount: SqlDecimal
  type: string
  reason: string | null
  reference: string | null
  payment_type: string | null
  display_note: string | null
  note: string | null
  product_code: string | null
  line_items: string
  tax_items: string
}>

/** Field by field: there may be thousands, and to spread the place into each costs more than all the rest. */
export const transactionRow = (transaction: Transaction, place: TransactionPlace): Row => ({
  organisation: place.organisation,
  import_supplier: place.import_supplier,
  platform_account_number: place.platform_account_number,
  ordinal: place.ordinal,
  ledger_ordinal: place.ledger_ordinal,
  period: place.period,
  copy: place.copy,
  transaction_id: transaction.transaction_id,
  transaction_date: transaction.transaction_date,
  amount: transaction.amount,
  type: transaction.type,
  reason: transaction.reason,
  reference: transaction.reference,
  payment_type: transaction.payment_type,
  display_note: transaction.display_note,
  note: transaction.note,
  product_code: transaction.product_code,
  line_items: toJson(transaction.line_items),
  tax_items: toJson(transaction.tax_items),
})

export const transactionOf = (row: TransactionRow): Transaction => ({
  transaction_id: row.transaction_id,
  transaction_date: row.transaction_date,
  amount: toMoney(row.amount),
  type: row.type,
  ...present({
    reason: row.reason,
    reference: row.reference,
    payment_type: row.payment_type,
    display_note: row.display_note,
    note: row.note,
    product_code: row.product_code,
  }),
  line_items: fromJson<Transaction['line_items']>(row.line_items),
  tax_items: fromJson<Transaction['tax_items']>(row.tax_items),
})
