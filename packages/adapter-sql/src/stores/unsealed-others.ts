import type { AuditEntry, AuditFilter } from '@account-import/core'
import type { SqlDialect } from '../dialects/sql-dialect.js'
import { unsealedRow, type UnsealedRow } from '../rows/audit-log.js'
import { tables } from '../rows/tables.js'
import type { Statements } from '../session/statements.js'
import { filledUp } from '../statements/filled-up.js'
import { insertRows } from '../statements/insert-rows.js'
import { marks } from '../statements/marks.js'
import { selectRows } from '../statements/select-rows.js'
import { updateRows } from '../statements/update-rows.js'
import { grouped } from './grouped.js'

export type OtherKey = Pick<UnsealedRow, 'organisation' | 'import_supplier' | 'entry_id'>

/** Keeps entries that no import carries. */
export const insertOthers = async (
  db: Statements,
  dialect: SqlDialect,
  entries: readonly AuditEntry[],
): Promise<void> => {
  if (entries.length > 0) await insertRows(db, dialect, tables.auditUnsealed, entries.map(unsealedRow))
}

/** The first of them; of a supplier those that wait longest. */
export const otherKeys = (db: Statements, limit: number): Promise<readonly OtherKey[]> => {
  const key = 'organisation, import_supplier, entry_id'
  return selectRows<OtherKey>(
    db,
    `SELECT ${key} FROM ${tables.auditUnsealed} ORDER BY ${key} LIMIT ${limit}`,
    [],
  )
}

/** Those of an organisation, or of one supplier of it, after that row in the order of their keys. */
export const othersOf = (
  db: Statements,
  { organisation, importSupplier, from, until }: AuditFilter,
  after: UnsealedRow | undefined,
  limit: number,
): Promise<readonly UnsealedRow[]> => {
  const [supplier, id] = [after?.import_supplier ?? '', after?.entry_id ?? '']
  const conditions = [
    { text: 'organisation = ?', values: [organisation] },
    {
      text: '(import_supplier > ? OR (import_supplier = ? AND entry_id > ?))',
      values: [supplier, supplier, id],
    },
    ...(importSupplier === undefined ? [] : [{ text: 'import_supplier = ?', values: [importSupplier] }]),
    // An id begins with the time of the entry.
    ...(from === undefined ? [] : [{ text: 'entry_id >= ?', values: [from] }]),
    ...(until === undefined ? [] : [{ text: 'entry_id < ?', values: [until] }]),
  ]
  return selectRows<UnsealedRow>(
    db,
    `SELECT * FROM ${tables.auditUnsealed} WHERE ${conditions.map(({ text }) => text).join(' AND ')} ` +
      `ORDER BY import_supplier, entry_id LIMIT ${limit}`,
    conditions.flatMap(({ values }) => values),
  )
}

type OfSupplier = Readonly<{ condition: string; bindings: readonly string[] }>

/** A condition for each supplier, that a row has one of the keys. They are all of one organisation. */
const bySupplier = (keys: readonly OtherKey[]): readonly OfSupplier[] => {
  const keysOf = grouped(keys, (key) => key.import_supplier)
  return [...new Set(keys.map((key) => key.import_supplier))].map((supplier) => {
    const ids = filledUp(keysOf(supplier).map(({ entry_id }) => entry_id))
    return {
      condition: `organisation = ? AND import_supplier = ? AND entry_id IN (${marks(ids.length)})`,
      bindings: [keys[0]?.organisation ?? '', supplier, ...ids],
    }
  })
}

/** Those that are still there, of one organisation; locked until the transaction ends. */
export const lockedOthers = async (
  db: Statements,
  { forUpdate }: SqlDialect,
  keys: readonly OtherKey[],
): Promise<readonly UnsealedRow[]> => {
  const rows: UnsealedRow[] = []
  for (const { condition, bindings } of bySupplier(keys)) {
    const text = `SELECT * FROM ${tables.auditUnsealed} WHERE ${condition} ORDER BY entry_id ${forUpdate}`
    rows.push(...(await selectRows<UnsealedRow>(db, text, bindings)))
  }
  return rows
}

/** Removes rows of one organisation. */
export const removeOthers = async (db: Statements, rows: readonly OtherKey[]): Promise<void> => {
  for (const { condition, bindings } of bySupplier(rows))
    await updateRows(db, `DELETE FROM ${tables.auditUnsealed} WHERE ${condition}`, bindings)
}
