import type { AccountPayload } from '@account-import/core'
import type { ListTable, TableRows } from './table-rows.js'

const ledgerColumns = [
  'ordinal',
  'ledger_code',
  'last_statement_balance',
  'last_statement_closing_date',
  'ledger_balance',
]

const sameColumns = ['transaction_id', 'transaction_date', 'amount', 'type', 'reason', 'reference'] as const
const moreColumns = ['payment_type', 'display_note', 'note', 'product_code'] as const
const transactionFields = [...sameColumns, ...moreColumns]
const transactionColumns = [
  'ledger_ordinal',
  'period',
  'ordinal',
  ...transactionFields,
  'line_items',
  'tax_items',
]

/** The ledgers and their transactions. */
export const ledgerTables = (account: AccountPayload, list: ListTable): readonly TableRows[] => {
  const transactions = (account.ledgers ?? []).flatMap((ledger, place) =>
    (['current', 'historical'] as const).flatMap((period) =>
      (ledger[`${period}_statement_transactions`] ?? []).map((each, ordinal) => ({
        ...each,
        place,
        period,
        ordinal,
      })),
    ),
  )
  return [
    list('ledgers', ledgerColumns, account.ledgers, (each, ordinal) => [
      ordinal,
      each.ledger_code,
      each.last_statement_balance,
      each.last_statement_closing_date,
      each.ledger_balance,
    ]),
    list('transactions', transactionColumns, transactions, (each) => [
      each.place,
      each.period,
      each.ordinal,
      ...transactionFields.map((name) => each[name]),
      JSON.stringify(each.line_items ?? []),
      JSON.stringify(each.tax_items ?? []),
    ]),
  ]
}
