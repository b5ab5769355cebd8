import type { LockedAccount } from '@account-import/core'
import { accountRowKey, type RowKey } from '../rows/account-row-key.js'
import type { Row } from '../rows/row.js'
import { insertAccountRows } from './insert-account-rows.js'
import { nextOrdinal } from './next-ordinal.js'
import type { Session } from '../session/session.js'
import type { Statements } from '../session/statements.js'

/**
 * Adds items after those that the locked account has in one of its own lists, in two statements, however many there
 * are; none for no items.
 */
export const appendRows = async <A>(
  db: Statements,
  session: Session,
  account: LockedAccount,
  table: string,
  items: readonly A[],
  rowOf: (item: A, key: RowKey) => Row,
): Promise<void> => {
  if (items.length === 0) return
  const key = accountRowKey(account)
  const next = await nextOrdinal(db, table, key)
  const rows = items.map((item, index) => rowOf(item, { ...key, ordinal: next + index }))
  await insertAccountRows(db, session, table, account, rows)
}
