import type { AccountKey } from '@account-import/core'
import type { Knex } from 'knex'
import type { AccountImportRow } from '../rows/account-imports.js'
import { importKeyRow } from '../rows/import-key.js'
import { tables } from '../rows/tables.js'
import { freeSlot } from './processing-slots.js'

type Change = Partial<Record<keyof AccountImportRow, string | number | null | Knex.Raw>>

const change = (db: Knex, key: AccountKey, token: string, set: Change): Knex.QueryBuilder<object, number> =>
  db(tables.accountImports)
    .where(importKeyRow(key))
    .where('claim_token', token)
    .whereNull('platform_account_number')
    .update({ ...set, claim_token: null, claim_expires_at: null, holds_slot: 0 }) as Knex.QueryBuilder<
    object,
    number
  >

/**
 * Ends the claim, if it is still the one named, changes the import with it and frees its slot. True when it was.
 * A claim that was taken without a limit never touches the slots.
 */
export const endClaim = async (db: Knex, key: AccountKey, token: string, set: Change): Promise<boolean> => {
  if ((await change(db, key, token, set).where('holds_slot', 0)) === 1) return true
  const ended = (await change(db, key, token, set)) === 1
  if (ended) await freeSlot(db, token)
  return ended
}
