import { unlessDuplicate } from '../failures/duplicate.js'
import type { Row } from '../rows/row.js'
import { tables } from '../rows/tables.js'
import type { Statements } from '../session/statements.js'
import { marks } from './marks.js'
import { selectRows } from './select-rows.js'

const organisationText = `SELECT code FROM ${tables.organisations} WHERE code = ?`

/**
 * Inserts the row if its organisation exists, in one statement. (Not a foreign key: sharded databases have none.)
 * To be run in a transaction: a retry between the statements would find the row that it inserted itself.
 */
export const insertForOrganisation = (
  db: Statements,
  table: string,
  row: Row & Readonly<{ organisation: string }>,
): Promise<'created' | 'taken' | 'organisation_does_not_exist'> => {
  const columns = Object.keys(row)
  const values = columns.map((column) => row[column] ?? null)
  const text =
    `INSERT INTO ${table} (${columns.join(', ')}) ` +
    `SELECT ${marks(columns.length)} FROM ${tables.organisations} WHERE code = ?`
  return unlessDuplicate(async () => {
    await db.raw(text, [...values, row.organisation])
    const there = await selectRows(db, organisationText, [row.organisation])
    return there.length === 0 ? 'organisation_does_not_exist' : 'created'
  }, 'taken')
}
