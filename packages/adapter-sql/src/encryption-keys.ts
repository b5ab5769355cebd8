import { instantOf, type KeyRing } from '@account-import/core'
import type { Knex } from 'knex'
import { dataKeys, type DataKeys, KeyRingError } from './sql/crypto.js'
import { unlessDuplicate } from './sql/failures.js'
import { instant, keyColumns, tables } from './sql/rows.js'
import { poolSession, type Session } from './sql/session.js'

type KeyRow = Readonly<{ key_id: string; data_key: string }>

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
  for (const { key_id, data_key } of rows)
    try {
      await keys.of(data_key)
    } catch (cause) {
      if (!(cause instanceof KeyRingError) || cause.kind !== 'unavailable') throw cause
      missing.push(key_id)
    }
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
    first_used_at: instant.write(instantOf(Date.now())),
  }
  // Another server may be first.
  await unlessDuplicate(() => knex(tables.encryptionKeys).insert(row), undefined)
}

/** The tables of what is kept with a data key, their keys, and which of their rows hold something to encrypt. */
const encryptedKinds = {
  staged_data: { table: tables.accountImports, key: keyColumns, holds: 'payload IS NOT NULL' },
  accounts: { table: tables.accounts, key: keyColumns, holds: 'erased_at IS NULL' },
  idempotency_records: {
    table: tables.idempotencyRecords,
    key: ['organisation', 'request'],
    holds: 'status IS NOT NULL',
  },
  webhooks: { table: tables.webhooks, key: ['id'], holds: '1 = 1' },
} as const

/** How many of a kind hang on a key; `keyId` is absent for those that are not encrypted. */
export type KeyUse = Readonly<{ kind: keyof typeof encryptedKinds; keyId?: string; count: number }>

/** How much hangs on which key. Looks at every row; may run beside servers. Rejects with the driver's error. */
export const encryptionKeyUse = async (knex: Knex): Promise<readonly KeyUse[]> => {
  const uses: KeyUse[] = []
  for (const kind of Object.keys(encryptedKinds) as KeyUse['kind'][]) {
    const keyId = knex.raw("SUBSTR(data_key, 1, INSTR(data_key, ':') - 1)")
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

/** Rows of a page: they are locked until its transaction ends. */
const atOnce = 200

type KeyedRow = Readonly<Record<string, string>> & Readonly<{ data_key: string }>

/**
 * The data key, wrapped anew. Undefined for one that was changed by hand: it stays, for `encryptionKeyUse` and `verify` to tell
 * of.
 */
const rewrapped = async (keys: DataKeys, column: string): Promise<string | undefined> => {
  try {
    return await keys.rewrap(column)
  } catch (cause) {
    if (cause instanceof KeyRingError && cause.kind === 'unexpected') return undefined
    throw cause
  }
}

/** Wraps the data keys of a page of rows anew; a row that was changed meanwhile has another data key, and stays as it is. */
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
 * Wraps every data key that hangs on another key with the one that the key ring uses now, a page at a time; what is encrypted is
 * not touched. Data keys that the key ring takes for forged stay. May run beside servers, be cut off, and be run again. Keys on
 * which nothing hangs any more are forgotten: no server asks for them. `onRewrapped` is told how many rows each page was.
 * Rejects with a `KeyRingError` or the driver's error.
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
