import { erasedText } from '@account-import/core/adapter-kit'
import type { SqlDialect } from '../dialects/sql-dialect.js'
import { tables } from '../rows/tables.js'
import type { TransactionRow } from '../rows/transactions.js'
import type { Statements } from '../session/statements.js'
import { insertRows } from '../statements/insert-rows.js'
import { selectRows } from '../statements/select-rows.js'
import { updateRows } from '../statements/update-rows.js'

const ofAccount = 'organisation = ? AND import_supplier = ? AND platform_account_number = ?'

/** A transaction after erasure. All transactions of an account then have one id, so that each is a copy of its own. */
const erased = (row: TransactionRow, copy: number): TransactionRow => ({
  ...row,
  transaction_id: erasedText,
  copy,
  reason: null,
  reference: null,
  payment_type: null,
  display_note: null,
  note: null,
  product_code: null,
  line_items: '[]',
  tax_items: '[]',
})

/**
 * Puts what is left of an account's transactions in their place, and says of how many something was removed. They are removed
 * first: an id that a client made may be the one that takes the place of others.
 */
export const eraseTransactions = async (
  db: Statements,
  dialect: SqlDialect,
  account: readonly string[],
): Promise<number> => {
  const from = `FROM ${tables.transactions} WHERE ${ofAccount}`
  const select = `SELECT * ${from} ORDER BY ledger_ordinal, period, ordinal ${dialect.forUpdate}`
  const rows = await selectRows<TransactionRow>(db, select, [...account])
  const left = rows.map(erased)
  const telling = rows.filter((row, at) => JSON.stringify(row) !== JSON.stringify(left[at])).length
  if (telling === 0) return 0
  await updateRows(db, `DELETE ${from}`, [...account])
  await insertRows(db, dialect, tables.transactions, left)
  return telling
}
