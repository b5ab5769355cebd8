import type { AccountKey, LockedAccount } from '@account-import/core'
import type { Knex } from 'knex'
import { importKeyRow } from '../rows/import-key.js'
import { tables } from '../rows/tables.js'
import { lockedAccount } from '../statements/account-data-key.js'

type Found = Readonly<{ platform_account_number: string; data_key: string | null }>

/**
 * Locks the row of the account, unless that was erased. On SQLite every transaction holds the one write lock from its beginning, and Knex
 * leaves the clause out.
 */
export const lockAccount = async (db: Knex, key: AccountKey): Promise<LockedAccount | undefined> => {
  const found = (await db(tables.accounts)
    .where(importKeyRow(key))
    .whereNull('erased_at')
    .forUpdate()
    .first('platform_account_number', 'data_key')) as Found | undefined
  return found && lockedAccount(key, found.platform_account_number, found.data_key)
}
