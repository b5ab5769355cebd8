import type { LockedAccount } from '@account-import/core'
import { accountRowKey } from '../rows/account-row-key.js'

/** What the key of every row of an account begins with. */
export const accountKeyColumns = ['organisation', 'import_supplier', 'platform_account_number'] as const

/** That the rows of two tables, by their names in the statement, belong to one account. */
export const ofSameAccount = (left: string, right: string): string =>
  accountKeyColumns.map((column) => `${left}.${column} = ${right}.${column}`).join(' AND ')

/** That a row of the table, by its name in the statement, belongs to an account. Bindings: `accountKeyValues`. */
export const ofAccount = (name: string): string =>
  accountKeyColumns.map((column) => `${name}.${column} = ?`).join(' AND ')

export const accountKeyValues = (account: LockedAccount): readonly string[] => {
  const key = accountRowKey(account)
  return accountKeyColumns.map((column) => key[column])
}
