import type { LockedAccount } from '@account-import/core'
import { tables } from '../rows/tables.js'
import type { Statements } from '../session/statements.js'
import { accountKeyColumns, accountKeyValues } from './account-key.js'
import { updateRows } from './update-rows.js'

const text =
  `UPDATE ${tables.accounts} SET additions = additions + 1 ` +
  `WHERE ${accountKeyColumns.map((column) => `${column} = ?`).join(' AND ')}`

/**
 * Writes the row of a locked account, as whoever erases it does. A lock is known to one node of a cluster; of two that write
 * the same row, it lets one commit.
 */
export const countAddition = (db: Statements, account: LockedAccount): Promise<number> =>
  updateRows(db, text, accountKeyValues(account))
