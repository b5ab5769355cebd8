import type { AuditEntry } from '@account-import/core'
import type { SqlDialect } from '../dialects/sql-dialect.js'
import { unsealedRow, type UnsealedRow } from '../rows/audit-log.js'
import { tables } from '../rows/tables.js'
import type { Statements } from '../session/statements.js'
import { filledUp } from '../statements/filled-up.js'
import { insertRows } from '../statements/insert-rows.js'
import { marks } from '../statements/marks.js'
import { selectRows } from '../statements/select-rows.js'
import { updateRows } from '../statements/update-rows.js'

export type OtherKey = Pick<UnsealedRow, 'organisation' | 'entry_id'>

/** Keeps entries that no import carries. */
export const insertOthers = async (
  db: Statements,
  dialect: SqlDialect,
  entries: readonly AuditEntry[],
): Promise<void> => {
  if (entries.length > 0)
    await insertRows(db, dialect, tables.auditUnsealed, entries.map(unsealedRow))
}

/** The first of them; of an organisation those that wait longest. */
export const otherKeys = (db: Statements, limit: number): Promise<readonly OtherKey[]> =>
  selectRows<OtherKey>(
    db,
    `SELECT organisation, entry_id FROM ${tables.auditUnsealed} ORDER BY organisation, entry_id LIMIT ${limit}`,
    [],
  )

const ofIds = (count: number): string => `organisation = ? AND entry_id IN (${marks(count)})`

/** Those that are still there, of one organisation; locked until the transaction ends. */
export const lockedOthers = async (
  db: Statements,
  { forUpdate }: SqlDialect,
  organisation: string,
  keys: readonly OtherKey[],
): Promise<readonly UnsealedRow[]> => {
  if (keys.length === 0) return []
  const ids = filledUp(keys.map(({ entry_id }) => entry_id))
  const text = `SELECT * FROM ${tables.auditUnsealed} WHERE ${ofIds(ids.length)} ORDER BY entry_id ${forUpdate}`
  return selectRows<UnsealedRow>(db, text, [organisation, ...ids])
}

export const removeOthers = async (
  db: Statements,
  organisation: string,
  rows: readonly OtherKey[],
): Promise<void> => {
  if (rows.length === 0) return
  const ids = filledUp(rows.map(({ entry_id }) => entry_id))
  await updateRows(db, `DELETE FROM ${tables.auditUnsealed} WHERE ${ofIds(ids.length)}`, [organisation, ...ids])
}
