import type { LineItem, TaxItem, Transaction } from '@account-import/core'
import { toMoney } from '@account-import/core/adapter-kit'
import type { RowKey } from './account-row-key.js'
import { jsonColumn } from './json-column.js'
import type { SqlDecimal } from './money.js'
import { present } from './present.js'
import type { NewRow } from './row.js'
import { listOf, objectOf, optional, text, textOrNumber } from './shapes.js'

/** The list of its ledger that a transaction stands in. */
export type TransactionPeriod = 'current' | 'historical'

/** Stands for a ledger on an account without any. */
export const noLedger = -1

/** Where a transaction stands in its account; `copy` counts the transactions of its id that were there before it. */
export type TransactionRowKey = RowKey &
  Readonly<{ ledger_ordinal: number; period: TransactionPeriod; copy: number }>

export type TransactionRow = TransactionRowKey &
  Readonly<{
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

const lineItems = jsonColumn(
  'transactions.line_items',
  listOf(
    objectOf<LineItem>({
      rate_band: optional(text),
      start_date: text,
      end_date: text,
      number_of_units: textOrNumber,
      net_amount: textOrNumber,
      price_per_unit: optional(textOrNumber),
      units: optional(listOf(textOrNumber)),
    }),
  ),
)

const taxItems = jsonColumn(
  'transactions.tax_items',
  listOf(
    objectOf<TaxItem>({
      amount: textOrNumber,
      tax_type: text,
      value_taxed: textOrNumber,
      rate: textOrNumber,
      unit_type: text,
    }),
  ),
)

/** Field by field: there may be thousands, and to spread the key into each costs more than all the rest. */
export const transactionRow = (transaction: Transaction, key: TransactionRowKey): NewRow<TransactionRow> => ({
  organisation: key.organisation,
  import_supplier: key.import_supplier,
  platform_account_number: key.platform_account_number,
  ordinal: key.ordinal,
  ledger_ordinal: key.ledger_ordinal,
  period: key.period,
  copy: key.copy,
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
  line_items: lineItems.toText(transaction.line_items),
  tax_items: taxItems.toText(transaction.tax_items),
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
  line_items: lineItems.fromText(row.line_items),
  tax_items: taxItems.fromText(row.tax_items),
})
