import type { AccountKey } from '@account-import/core'
import type { SqlDialect } from '../dialects/sql-dialect.js'
import { fromSqlInstant } from '../rows/instants.js'
import { tables } from '../rows/tables.js'
import type { Statements } from '../session/statements.js'
import { importKeyValues, ofImport } from '../statements/of-import.js'
import { selectRows } from '../statements/select-rows.js'

type ErasedRow = Readonly<{ state: string; account_created_at: string | null; erased_at: string | null }>

/**
 * Whether the account was erased and not let in again since: then it may have been staged again, and created. Its import, where
 * there is one, stays locked until the transaction ends: a condition in the statement would leave one that does not meet it free.
 */
export const isErased = async (
  db: Statements,
  { forUpdate }: SqlDialect,
  key: AccountKey,
): Promise<boolean> => {
  const text = `SELECT state, account_created_at, erased_at FROM ${tables.accountImports} WHERE ${ofImport} ${forUpdate}`
  const [row] = await selectRows<ErasedRow>(db, text, importKeyValues(key))
  if (row === undefined || row.erased_at === null) return false
  return row.account_created_at === null
    ? row.state === 'skipped'
    : fromSqlInstant(row.account_created_at) <= fromSqlInstant(row.erased_at)
}
