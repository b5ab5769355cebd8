import { randomUUID } from 'node:crypto'
import { type AuditEntry, type AuditFilter, instantOf } from '@account-import/core'
import {
  inOrderOfTime,
  isAuditEvent,
  isInstant,
  isWanted,
  unnamedActor,
} from '@account-import/core/adapter-kit'
import {
  filledUp,
  grouped,
  hasOneOfKeys,
  importKeyOf,
  type ImportKeyRow,
  instant,
  keyColumns,
  placeholders,
  tables,
} from '../sql/rows.js'
import { sha256 } from '../sql/crypto.js'
import type { Db, Session } from '../sql/session.js'
import { entriesOfLines } from './import-rows.js'

/**
 * Reads pages of rows until `limit` entries match the filter. A single query cannot express the filter, because one column
 * contains several entries.
 */
const wantedOf = async <Row>(
  filter: AuditFilter,
  limit: number,
  pageAfter: (last: Row | undefined) => Promise<readonly Row[]>,
  entriesIn: (row: Row) => readonly AuditEntry[],
): Promise<readonly AuditEntry[]> => {
  const found: AuditEntry[] = []
  let last: Row | undefined
  for (;;) {
    const rows = await pageAfter(last)
    found.push(...rows.flatMap(entriesIn).filter(isWanted(filter)))
    if (rows.length < limit || found.length >= limit) return found
    last = rows.at(-1)
  }
}

/** Entries that are not sealed yet: those of imports, and then the others. */
export const unsealedPage = async (
  db: Db,
  filter: AuditFilter,
  limit: number,
): Promise<readonly AuditEntry[]> => [
  ...(await wantedOf<UnsealedImport>(
    filter,
    limit,
    (last) => unsealedOf(db, filter, last, limit),
    entriesOfImport,
  )),
  ...(await wantedOf<UnsealedRow>(
    filter,
    limit,
    (last) => othersOf(db, filter, last, limit),
    (row) => [unsealedEntryOf(row)],
  )),
]

const parsed = (text: string): AuditEntry | undefined => {
  try {
    const entry = JSON.parse(text) as AuditEntry
    return isInstant(entry.at) && isAuditEvent(entry.what) && typeof entry.by.who === 'string'
      ? entry
      : undefined
  } catch {
    return undefined
  }
}

type UnsealedRow = Readonly<{
  organisation: string
  /** Empty where the entry concerns no supplier. */
  import_supplier: string
  entry_id: string
  entry: string
}>

/** `entry_id` begins with the time of the entry, so that the rows of an organisation are in the order of their keys. */
const unsealedRow = (entry: AuditEntry): UnsealedRow => ({
  organisation: entry.organisation,
  import_supplier: entry.importSupplier ?? '',
  entry_id: `${entry.at} ${randomUUID()}`,
  entry: JSON.stringify(entry),
})

/** An unsealed entry that belongs to no import. */
const unsealedEntryOf = ({ organisation, entry_id, entry }: UnsealedRow): AuditEntry => {
  const found = parsed(entry)
  if (found !== undefined) return { ...found, organisation }
  const at = entry_id.slice(0, 24)
  return {
    organisation,
    at: isInstant(at) ? at : instantOf(0),
    what: 'unreadable',
    by: unnamedActor,
    after: sha256(entry),
  }
}

const unsealedColumns = [...keyColumns, 'unsealed', 'unsealed_since'].join(', ')

type UnsealedImport = ImportKeyRow & Readonly<{ unsealed: string | null; unsealed_since: string | null }>

/** A condition that is true for every time, and that both databases look up in the index. */
const isUnsealed = "unsealed_since >= '1000-01-01 00:00:00.000'"

/**
 * The imports of an organisation, or of one supplier or account of it, whose entries have waited longest; after `last` where it
 * is given.
 */
const unsealedOf = (
  db: Db,
  { organisation, importSupplier, externalAccountNumber }: AuditFilter,
  last: UnsealedImport | undefined,
  limit: number,
): Promise<readonly UnsealedImport[]> => {
  const values = [organisation, importSupplier, externalAccountNumber]
  const named = keyColumns.filter((_, index) => values[index] !== undefined)
  const table =
    named.length === keyColumns.length
      ? tables.accountImports
      : db.dialect.foundBy(tables.accountImports, 'account_imports_unsealed')
  return db.page<UnsealedImport>(
    `SELECT ${unsealedColumns} FROM ${table} WHERE ${[isUnsealed, ...named.map((column) => `${column} = ?`)].join(' AND ')}`,
    values.filter((value) => value !== undefined),
    {
      order: ['unsealed_since', 'import_supplier', 'external_account_number'],
      after: last && [last.unsealed_since ?? '', last.import_supplier, last.external_account_number],
      limit,
    },
  )
}

/** Locks the imports that still have entries until the transaction ends, in the order of their keys, as all transactions do. */
const lockedImports = async (db: Db, keys: readonly ImportKeyRow[]): Promise<readonly UnsealedImport[]> => {
  if (keys.length === 0) return []
  const { sql, bindings } = hasOneOfKeys(keys.map(importKeyOf))
  return db.select<UnsealedImport>(
    `SELECT ${unsealedColumns} FROM ${db.dialect.inOrderOf(tables.accountImports, 'PRIMARY')} ` +
      `WHERE (${sql}) AND ${isUnsealed} ${db.dialect.forUpdate}`,
    bindings,
  )
}

/** Removes the entries of locked imports. */
const clearImports = async (db: Db, imports: readonly UnsealedImport[]): Promise<void> => {
  if (imports.length === 0) return
  const { sql, bindings } = hasOneOfKeys(imports.map(importKeyOf))
  const table = db.dialect.inOrderOf(tables.accountImports, 'PRIMARY')
  await db.change(`UPDATE ${table} SET unsealed = NULL, unsealed_since = NULL WHERE ${sql}`, bindings)
}

/** The entries in the row of an import. If the text was removed and its time was left, the entry is `unreadable`. */
const entriesOfImport = (row: UnsealedImport): readonly AuditEntry[] =>
  row.unsealed_since === null
    ? []
    : entriesOfLines(importKeyOf(row), instant.read(row.unsealed_since), row.unsealed ?? 'taken away')

type OtherKey = Pick<UnsealedRow, 'organisation' | 'import_supplier' | 'entry_id'>

/** Stores entries that belong to no import. */
export const insertOthers = async (db: Db, entries: readonly AuditEntry[]): Promise<void> => {
  if (entries.length > 0) await db.insert(tables.auditUnsealed, entries.map(unsealedRow))
}

/** The entries without an import of an organisation, or of one supplier of it, after a row in the order of their keys. */
const othersOf = (
  db: Db,
  { organisation, importSupplier, from, until }: AuditFilter,
  after: UnsealedRow | undefined,
  limit: number,
): Promise<readonly UnsealedRow[]> => {
  const conditions = [
    ['organisation = ?', organisation],
    ['import_supplier = ?', importSupplier],
    // An id begins with the time of the entry.
    ['entry_id >= ?', from],
    ['entry_id < ?', until],
  ].filter(([, value]) => value !== undefined)
  return db.page<UnsealedRow>(
    `SELECT * FROM ${tables.auditUnsealed} WHERE ${conditions.map(([text]) => text).join(' AND ')}`,
    conditions.map(([, value = '']) => value),
    {
      order: ['import_supplier', 'entry_id'],
      after: after && [after.import_supplier, after.entry_id],
      limit,
    },
  )
}

/** A condition for each supplier, which matches rows with its keys. All keys are of one organisation. */
const bySupplier = (keys: readonly OtherKey[]) =>
  [...grouped(keys, (key) => key.import_supplier)].map(([supplier, [first, ...others]]) => {
    const ids = filledUp([first, ...others].map(({ entry_id }) => entry_id))
    return {
      condition: `organisation = ? AND import_supplier = ? AND entry_id IN (${placeholders(ids.length)})`,
      bindings: [first.organisation, supplier, ...ids],
    }
  })

/** Locks the rows of one organisation that still exist until the transaction ends. */
const lockedOthers = async (db: Db, keys: readonly OtherKey[]): Promise<readonly UnsealedRow[]> => {
  const rows: UnsealedRow[] = []
  for (const { condition, bindings } of bySupplier(keys)) {
    const text = `SELECT * FROM ${tables.auditUnsealed} WHERE ${condition} ORDER BY entry_id ${db.dialect.forUpdate}`
    rows.push(...(await db.select<UnsealedRow>(text, bindings)))
  }
  return rows
}

/** Removes rows of one organisation. */
const removeOthers = async (db: Db, rows: readonly OtherKey[]): Promise<void> => {
  for (const { condition, bindings } of bySupplier(rows))
    await db.change(`DELETE FROM ${tables.auditUnsealed} WHERE ${condition}`, bindings)
}

type WaitingKeys = Readonly<{ imports: readonly ImportKeyRow[]; others: readonly OtherKey[] }>

const otherKey = 'organisation, import_supplier, entry_id'

/**
 * The keys of rows whose entries have waited longest: imports, and entries without an import; at most `limit` of each. Indexes
 * contain all of it.
 */
export const waitingKeys = async ({ dialect, query }: Session, limit: number): Promise<WaitingKeys> => {
  const table = dialect.foundBy(tables.accountImports, 'account_imports_unsealed')
  const imports = `SELECT ${keyColumns.join(', ')} FROM ${table} WHERE ${isUnsealed} ORDER BY unsealed_since LIMIT ${limit}`
  const others = `SELECT ${otherKey} FROM ${tables.auditUnsealed} ORDER BY ${otherKey} LIMIT ${limit}`
  return {
    imports: await query((db) => db.select<ImportKeyRow>(imports)),
    others: await query((db) => db.select<OtherKey>(others)),
  }
}

/**
 * Locks rows of one organisation until the transaction ends, and returns their unsealed entries in the order of their times.
 * `remove` deletes the entries.
 */
export const lockedEntries = async (
  db: Db,
  keys: WaitingKeys,
): Promise<Readonly<{ entries: readonly AuditEntry[]; remove: () => Promise<void> }>> => {
  const imports = await lockedImports(db, keys.imports)
  const others = await lockedOthers(db, keys.others)
  return {
    entries: inOrderOfTime([...imports.map(entriesOfImport), ...others.map((row) => [unsealedEntryOf(row)])]),
    remove: async () => {
      await clearImports(db, imports)
      await removeOthers(db, others)
    },
  }
}
