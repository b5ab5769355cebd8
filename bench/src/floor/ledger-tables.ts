import type { AccountPayload } from '@account-import/core'
import type { SqlValue } from './database.js'
import { keyColumns, type ListTable, type TableRows } from './table-rows.js'

const ledgerColumns = [
  'ordinal',
  'ledger_code',
  'last_statement_balance',
  'last_statement_closing_date',
  'ledger_balance',
]

type Transaction = NonNullable<
  NonNullable<AccountPayload['ledgers']>[number]['current_statement_transactions']
>[number]

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

const transactionValues = (transaction: Transaction): readonly SqlValue[] => [
  ...transactionFields.map((name) => transaction[name]),
  JSON.stringify(transaction.line_items ?? []),
  JSON.stringify(transaction.tax_items ?? []),
]

/** Transactions that are added to the current ones of a ledger; `key` is the account's. */
export const currentTransactionTable = (
  key: readonly SqlValue[],
  ledger: number,
  next: number,
  transactions: readonly Transaction[],
): TableRows => ({
  table: 'transactions',
  columns: [...keyColumns, ...transactionColumns],
  rows: transactions.map((each, index) => [
    ...key,
    ledger,
    'current',
    next + index,
    ...transactionValues(each),
  ]),
})

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
      ...transactionValues(each),
    ]),
  ]
}
