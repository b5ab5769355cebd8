import type { LockedAccount } from '@account-import/core'
import type { SqlDialect } from '../dialects/sql-dialect.js'
import { accountRowKey, type RowKey } from '../rows/account-row-key.js'
import type { Row } from '../rows/row.js'
import { accountKeyValues, ofAccount } from './account-key.js'
import { insertAccountRows } from './insert-account-rows.js'
import { selectRows } from './select-rows.js'
import type { Statements } from '../session/statements.js'

const lastText = (table: string): string =>
  `SELECT t.ordinal FROM ${table} AS t WHERE ${ofAccount('t')} ORDER BY t.ordinal DESC LIMIT 1`

/**
 * Adds items after those that the locked account has in one of its own lists, in two statements, however many there
 * are; none for no items.
 */
export const appendRows = async <A>(
  db: Statements,
  dialect: SqlDialect,
  account: LockedAccount,
  table: string,
  items: readonly A[],
  rowOf: (item: A, key: RowKey) => Row,
): Promise<void> => {
  if (items.length === 0) return
  const key = accountRowKey(account)
  const [last] = await selectRows<Readonly<{ ordinal: number }>>(
    db,
    lastText(table),
    accountKeyValues(account),
  )
  const next = last === undefined ? 0 : last.ordinal + 1
  const rows = items.map((item, index) => rowOf(item, { ...key, ordinal: next + index }))
  await insertAccountRows(db, dialect, table, key, rows)
}
