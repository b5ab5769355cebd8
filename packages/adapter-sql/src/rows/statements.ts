import type { AccountStatement } from '@account-import/core'
import { fromOptionalMoney, type SqlDecimal } from './money.js'
import { present } from './present.js'
import type { RowKey } from './account-row-key.js'
import type { NewRow } from './row.js'

export type StatementRow = RowKey &
  Readonly<{
    bill_period_from_date: string
    bill_period_to_date: string
    statement_path: string | null
    statement_id: string
    supply_type: string | null
    issued_date: string | null
    number: string | null
    gross_amount: SqlDecimal | null
  }>

export const statementRow = (statement: AccountStatement, key: RowKey): NewRow<StatementRow> => ({
  ...key,
  bill_period_from_date: statement.bill_period_from_date,
  bill_period_to_date: statement.bill_period_to_date,
  statement_path: statement.statement_path,
  statement_id: statement.statement_id,
  supply_type: statement.supply_type,
  issued_date: statement.issued_date,
  number: statement.number,
  gross_amount: statement.gross_amount,
})

export const statementOf = (row: StatementRow): AccountStatement => ({
  bill_period_from_date: row.bill_period_from_date,
  bill_period_to_date: row.bill_period_to_date,
  statement_id: row.statement_id,
  ...present({
    statement_path: row.statement_path,
    supply_type: row.supply_type,
    issued_date: row.issued_date,
    number: row.number,
    gross_amount: fromOptionalMoney(row.gross_amount),
  }),
})
