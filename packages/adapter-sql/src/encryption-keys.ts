import { instantOf, type KeyRing } from '@account-import/core'
import type { Knex } from 'knex'
import { dialectOf } from './dialects/dialects.js'
import { dataKeys, type DataKeys, KeyRingError } from './sql/crypto.js'
import { unlessDuplicate } from './sql/failures.js'
import { instant, keyColumns, tables } from './sql/rows.js'
import { poolSession, type Session } from './sql/session.js'

type KeyRow = Readonly<{ key_id: string; data_key: string }>

/**
 * The ids of the keys that wrap data keys of the database and that the key ring does not have: rows that depend on them cannot be
 * read. Empty where nothing was ever encrypted. Rejects with a `KeyRingError`, or the driver's error.
 */
export const missingEncryptionKeys = async (
  knex: Knex,
  keyRing: KeyRing | undefined,
): Promise<readonly string[]> => {
  const keys = dataKeys(keyRing)
  const rows = (await knex(tables.encryptionKeys).orderBy('first_used_at')) as readonly KeyRow[]
  const missing: string[] = []
  for (const { key_id, data_key } of rows)
    try {
      await keys.of(data_key)
    } catch (cause) {
      if (!(cause instanceof KeyRingError) || cause.kind !== 'unavailable') throw cause
      missing.push(key_id)
    }
  return missing
}

/** Whether the current key of the key ring is registered in the database. Only reads. */
export const knowsEncryptionKey = async (knex: Knex, { currentKeyId }: KeyRing): Promise<boolean> => {
  const known: unknown = await knex(tables.encryptionKeys).where('key_id', currentKeyId).first('key_id')
  return known !== undefined
}

/** Registers the current key of the key ring in the database, so that `missingEncryptionKeys` reports it where it is missing. */
export const registerEncryptionKey = async (knex: Knex, keyRing: KeyRing): Promise<void> => {
  const { currentKeyId } = keyRing
  if (await knowsEncryptionKey(knex, keyRing)) return
  const made = await dataKeys(keyRing).make()
  const row = {
    key_id: currentKeyId,
    data_key: made?.column,
    first_used_at: instant.write(instantOf(Date.now())),
  }
  // Another server may register it at the same time.
  await unlessDuplicate(() => knex(tables.encryptionKeys).insert(row), undefined)
}

/** The tables whose rows have a data key, their keys, and the condition of the rows with encrypted content. */
const encryptedKinds = {
  staged_data: { table: tables.accountImports, key: keyColumns, holds: 'payload IS NOT NULL' },
  idempotency_records: {
    table: tables.idempotencyRecords,
    key: ['organisation', 'request'],
    holds: 'status IS NOT NULL',
  },
  webhooks: { table: tables.webhooks, key: ['id'], holds: '1 = 1' },
} as const

/** The number of rows of a kind that depend on a key; `keyId` is absent for plain rows. */
export type KeyUse = Readonly<{ kind: keyof typeof encryptedKinds; keyId?: string; count: number }>

/** Counts the rows that depend on each key. Reads every row; may run beside servers. Rejects with the driver's error. */
export const encryptionKeyUse = async (knex: Knex): Promise<readonly KeyUse[]> => {
  const uses: KeyUse[] = []
  for (const kind of Object.keys(encryptedKinds) as KeyUse['kind'][]) {
    const keyId = knex.raw(dialectOf(knex).textBefore('data_key', ':'))
    const rows = (await knex(encryptedKinds[kind].table)
      .whereRaw(encryptedKinds[kind].holds)
      .groupBy('key_id')
      .orderBy('key_id')
      .select({ key_id: keyId })
      .count({ count: '*' })) as readonly Readonly<{ key_id: string | null; count: number | string }>[]
    for (const { key_id, count } of rows)
      uses.push({ kind, count: Number(count), ...(key_id !== null && { keyId: key_id }) })
  }
  return uses
}

/** Rows of a page, which are locked until its transaction ends. */
const atOnce = 200

type KeyedRow = Readonly<Record<string, string>> & Readonly<{ data_key: string }>

/**
 * The data key, wrapped with the current key. Undefined for a forged one, which is left for `encryptionKeyUse` and `verify` to
 * report.
 */
const rewrapped = async (keys: DataKeys, column: string): Promise<string | undefined> => {
  try {
    return await keys.rewrap(column)
  } catch (cause) {
    if (cause instanceof KeyRingError && cause.kind === 'unexpected') return undefined
    throw cause
  }
}

/** Wraps the data keys of a kind again, page by page. A row that was changed meanwhile has another data key, and is skipped. */
const rewrapKind = async (
  { query, transaction, dataKeys: keys }: Session,
  kind: KeyUse['kind'],
  current: string,
  onRewrapped: (rows: number) => void,
): Promise<void> => {
  const { table, key } = encryptedKinds[kind]
  const select =
    `SELECT ${key.join(', ')}, data_key FROM ${table} ` +
    'WHERE data_key IS NOT NULL AND SUBSTR(data_key, 1, ?) <> ?'
  const set = `UPDATE ${table} SET data_key = ? WHERE ${key.map((column) => `${column} = ? AND `).join('')}data_key = ?`
  const keyOf = (row: KeyedRow): readonly string[] => key.map((name) => row[name] as string)
  for (let last: KeyedRow | undefined; ;) {
    const after = last && keyOf(last)
    const page = await query((db) =>
      db.page<KeyedRow>(select, [current.length, current], { order: key, after, limit: atOnce }),
    )
    const columnsOfPage = new Map<KeyedRow, string | undefined>()
    for (const row of page) columnsOfPage.set(row, await rewrapped(keys, row.data_key))
    const changed = await transaction(async (db) => {
      let rows = 0
      for (const [row, column] of columnsOfPage)
        if (column !== undefined) rows += await db.change(set, [column, ...keyOf(row), row.data_key])
      return rows
    })
    if (page.length > 0) onRewrapped(changed)
    if (page.length < atOnce) return
    last = page.at(-1)
  }
}

/**
 * Wraps every data key of another key with the current key of the key ring, a page at a time; the encrypted content is not
 * touched. Skips data keys that the key ring reports as forged. May run beside servers, be interrupted, and be run again.
 * Unregisters keys on which no row depends, so that no server requires them. Calls `onRewrapped` with the number of changed rows
 * of each page. Rejects with a `KeyRingError` or the driver's error.
 */
export const rewrapDataKeys = async (
  knex: Knex,
  keyRing: KeyRing,
  onRewrapped: (rows: number) => void = () => undefined,
): Promise<void> => {
  const session = poolSession(knex, dataKeys(keyRing), () => undefined)
  const current = `${keyRing.currentKeyId}:`
  for (const kind of Object.keys(encryptedKinds) as KeyUse['kind'][])
    await rewrapKind(session, kind, current, onRewrapped)
  const used = (await encryptionKeyUse(knex)).flatMap(({ keyId }) => keyId ?? [])
  await knex(tables.encryptionKeys)
    .whereNotIn('key_id', [...used, keyRing.currentKeyId])
    .delete()
}
