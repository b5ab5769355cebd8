import type { Ledger } from '@account-import/core'
import { fromOptionalMoney, type SqlDecimal } from './money.js'
import { present } from './present.js'
import type { RowKey } from './account-row-key.js'
import type { NewRow } from './row.js'

export type LedgerRow = RowKey &
  Readonly<{
    ledger_code: string
    last_statement_balance: SqlDecimal | null
    last_statement_closing_date: string | null
    ledger_balance: SqlDecimal | null
  }>

/** The transactions of a ledger, as its lists hold them. */
export type LedgerTransactions = Pick<
  Ledger,
  'current_statement_transactions' | 'historical_statement_transactions'
>

export const ledgerRow = (ledger: Ledger, key: RowKey): NewRow<LedgerRow> => ({
  ...key,
  ledger_code: ledger.ledger_code,
  last_statement_balance: ledger.last_statement_balance,
  last_statement_closing_date: ledger.last_statement_closing_date,
  ledger_balance: ledger.ledger_balance,
})

export const ledgerOf = (row: LedgerRow, transactions: LedgerTransactions): Ledger => ({
  ledger_code: row.ledger_code,
  ...present({
    last_statement_balance: fromOptionalMoney(row.last_statement_balance),
    last_statement_closing_date: row.last_statement_closing_date,
    ledger_balance: fromOptionalMoney(row.ledger_balance),
  }),
  ...transactions,
})
