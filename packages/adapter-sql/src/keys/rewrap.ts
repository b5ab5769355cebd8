import type { KeyRing } from '@account-import/core'
import type { Knex } from 'knex'
import { tables } from '../rows/tables.js'
import { poolSession, type Session } from '../session/session.js'
import { selectRows } from '../statements/select-rows.js'
import { updateRows } from '../statements/update-rows.js'
import { dataKeys, KeyRingError } from '../encryption/data-keys.js'
import { encryptedKinds, encryptionKeyUse, type EncryptedKind } from './key-use.js'

/** Rows of a page: they are locked until its transaction ends. */
const atOnce = 200

type KeyedRow = Readonly<Record<string, string>> & Readonly<{ data_key: string }>

/** Later than a row, by the first column of the key in which they differ; as two conditions, of which an index begins with the first. */
const afterRow = ([column = '', ...others]: readonly string[]): string =>
  others.length === 0 ? `${column} > ?` : `${column} >= ? AND (${column} > ? OR (${afterRow(others)}))`

const placesOf = ([value = '', ...others]: readonly string[]): readonly string[] =>
  others.length === 0 ? [value] : [value, value, ...placesOf(others)]

/** The next rows in the order of the key whose data keys hang on another key than the one given. */
const pageText = (kind: EncryptedKind, isFirst: boolean): string => {
  const { table, key } = encryptedKinds[kind]
  return (
    `SELECT ${key.join(', ')}, data_key FROM ${table} WHERE data_key IS NOT NULL AND SUBSTR(data_key, 1, ?) <> ? ` +
    `${isFirst ? '' : `AND ${afterRow(key)} `}ORDER BY ${key.join(', ')} LIMIT ${atOnce}`
  )
}

const setText = (kind: EncryptedKind): string => {
  const { table, key } = encryptedKinds[kind]
  return `UPDATE ${table} SET data_key = ? WHERE ${key.map((column) => `${column} = ?`).join(' AND ')} AND data_key = ?`
}

/** Wraps the data keys of a page anew; a row that was changed meanwhile has another data key, and stays as it is. */
const rewrapPage = async (
  { transaction, dataKeys: keys }: Session,
  kind: EncryptedKind,
  page: readonly KeyedRow[],
): Promise<number> => {
  const { key } = encryptedKinds[kind]
  const wrapped: (readonly [KeyedRow, string])[] = []
  for (const row of page)
    try {
      wrapped.push([row, await keys.rewrap(row.data_key)])
    } catch (cause) {
      if (!(cause instanceof KeyRingError) || cause.kind !== 'unexpected') throw cause
      // A data key that was changed by hand stays as it is, for encryptionKeyUse and verify to tell of.
    }
  return transaction(async (db) => {
    let changed = 0
    for (const [row, column] of wrapped)
      changed += await updateRows(db, setText(kind), [
        column,
        ...key.map((name) => row[name] as string),
        row.data_key,
      ])
    return changed
  })
}

const rewrapKind = async (
  session: Session,
  kind: EncryptedKind,
  current: string,
  onRewrapped: (rows: number) => void,
): Promise<void> => {
  const { key } = encryptedKinds[kind]
  let last: KeyedRow | undefined
  for (;;) {
    const place = last === undefined ? [] : placesOf(key.map((name) => last?.[name] as string))
    const bindings = [current.length, current, ...place]
    const page = await session.query((db) =>
      selectRows<KeyedRow>(db, pageText(kind, place.length === 0), bindings),
    )
    if (page.length > 0) onRewrapped(await rewrapPage(session, kind, page))
    last = page.at(-1)
    if (page.length < atOnce) return
  }
}

/**
 * Wraps every data key that hangs on another key with the one that the key ring uses now, a page at a time; what is encrypted is
 * not touched. Data keys that the key ring takes for forged stay. May run beside servers, be cut off, and be run again. Keys on which nothing hangs any more are forgotten:
 * no server asks for them. `onRewrapped` is told how many rows each page was. Rejects with a `KeyRingError` or the driver's error.
 */
export const rewrapDataKeys = async (
  knex: Knex,
  keyRing: KeyRing,
  onRewrapped: (rows: number) => void = () => undefined,
): Promise<void> => {
  const session = poolSession(knex, dataKeys(keyRing), () => undefined)
  const current = `${keyRing.currentKeyId}:`
  for (const kind of Object.keys(encryptedKinds) as EncryptedKind[])
    await rewrapKind(session, kind, current, onRewrapped)
  const used = (await encryptionKeyUse(knex)).flatMap(({ keyId }) => keyId ?? [])
  await knex(tables.encryptionKeys)
    .whereNotIn('key_id', [...used, keyRing.currentKeyId])
    .delete()
}
