import type { AccountKey, LockedAccount } from '@account-import/core'
import type { Knex } from 'knex'
import { importKeyRow } from '../rows/import-key.js'
import { tables } from '../rows/tables.js'

type Found = Readonly<{ platform_account_number: string }>

/**
 * Locks the row of the account, unless that was erased. On SQLite every transaction holds the one write lock from its beginning, and Knex
 * leaves the clause out.
 */
export const lockAccount = async (db: Knex, key: AccountKey): Promise<LockedAccount | undefined> => {
  const found = (await db(tables.accounts)
    .where(importKeyRow(key))
    .whereNull('erased_at')
    .forUpdate()
    .first('platform_account_number')) as Found | undefined
  return found && ({ key, platformAccountNumber: found.platform_account_number } as LockedAccount)
}
