import { instantOf, type KeyRing } from '@account-import/core'
import type { Knex } from 'knex'
import { unlessDuplicate } from '../failures/duplicate.js'
import { toSqlInstant } from '../rows/instants.js'
import { tables } from '../rows/tables.js'
import { dataKeys, KeyRingError, type DataKeys } from '../encryption/data-keys.js'

type KeyRow = Readonly<{ key_id: string; data_key: string }>

const isThere = async (keys: DataKeys, { data_key }: KeyRow): Promise<boolean> => {
  try {
    await keys.of(data_key)
    return true
  } catch (cause) {
    if (cause instanceof KeyRingError && cause.kind === 'unavailable') return false
    throw cause
  }
}

/**
 * The ids of the keys that the database was encrypted with and that the key ring does not have: what hangs on them cannot be read.
 * Empty where nothing was ever encrypted. Rejects with a `KeyRingError`, or the driver's error.
 */
export const missingEncryptionKeys = async (
  knex: Knex,
  keyRing: KeyRing | undefined,
): Promise<readonly string[]> => {
  const keys = dataKeys(keyRing)
  const rows = (await knex(tables.encryptionKeys).orderBy('first_used_at')) as readonly KeyRow[]
  const missing: string[] = []
  for (const row of rows) if (!(await isThere(keys, row))) missing.push(row.key_id)
  return missing
}

/** Whether the database knows that it is encrypted with the key that the key ring uses now. Reads alone. */
export const knowsEncryptionKey = async (knex: Knex, { currentKeyId }: KeyRing): Promise<boolean> => {
  const known: unknown = await knex(tables.encryptionKeys).where('key_id', currentKeyId).first('key_id')
  return known !== undefined
}

/** Makes known that the database is encrypted with the key that the key ring uses now, so that it is missed where it is not there. */
export const registerEncryptionKey = async (knex: Knex, keyRing: KeyRing): Promise<void> => {
  const { currentKeyId } = keyRing
  if (await knowsEncryptionKey(knex, keyRing)) return
  const made = await dataKeys(keyRing).make()
  const row = {
    key_id: currentKeyId,
    data_key: made?.column,
    first_used_at: toSqlInstant(instantOf(Date.now())),
  }
  // Another server may be first.
  await unlessDuplicate(() => knex(tables.encryptionKeys).insert(row), undefined)
}
