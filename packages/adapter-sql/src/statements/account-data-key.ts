import type { AccountKey, LockedAccount } from '@account-import/core'
import type { DataKey, DataKeys } from '../encryption/data-keys.js'
import { tables } from '../rows/tables.js'
import type { Statements } from '../session/statements.js'
import { accountKeyColumns, accountKeyValues, ofAccount } from './account-key.js'
import { selectRows } from './select-rows.js'
import { updateRows } from './update-rows.js'

/** What the rows of locked accounts have as their data keys: nothing is read again to know it. */
const columns = new WeakMap<LockedAccount, string | null>()

/** What `lock` gives. */
export const lockedAccount = (
  key: AccountKey,
  platformAccountNumber: string,
  column: string | null,
): LockedAccount => {
  const account = { key, platformAccountNumber } as LockedAccount
  columns.set(account, column)
  return account
}

const findText = `SELECT t.data_key FROM ${tables.accounts} AS t WHERE ${ofAccount('t')}`

/** The data key of a locked account; undefined where it has none. One that had none may have got it in this unit of work. */
export const accountDataKey = async (
  db: Statements,
  dataKeys: DataKeys,
  account: LockedAccount,
): Promise<DataKey | undefined> => {
  const column = columns.get(account) ?? null
  if (column !== null || !dataKeys.encrypts) return dataKeys.of(column)
  const rows = await selectRows<Readonly<{ data_key: string | null }>>(
    db,
    findText,
    accountKeyValues(account),
  )
  return dataKeys.of(rows[0]?.data_key ?? null)
}

const setText =
  `UPDATE ${tables.accounts} SET data_key = ? ` +
  `WHERE ${accountKeyColumns.map((column) => `${column} = ?`).join(' AND ')}`

/** The same, and whether it is new: one that has none gets one, where what is written is encrypted. */
export const writingDataKey = async (
  db: Statements,
  dataKeys: DataKeys,
  account: LockedAccount,
): Promise<Readonly<{ dataKey: DataKey; isNew: boolean }> | undefined> => {
  const known = await accountDataKey(db, dataKeys, account)
  if (known !== undefined) return { dataKey: known, isNew: false }
  const made = await dataKeys.make()
  if (made === undefined) return undefined
  await updateRows(db, setText, [made.column, ...accountKeyValues(account)])
  return { dataKey: made, isNew: true }
}
