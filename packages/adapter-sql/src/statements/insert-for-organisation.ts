import type { Knex } from 'knex'
import { unlessDuplicate } from '../failures/duplicate.js'
import type { Row } from '../rows/row.js'
import { tables } from '../rows/tables.js'

/**
 * Inserts the row if its organisation exists, in one statement. (Not a foreign key: sharded databases have none.)
 * To be run in a transaction: a retry between the statements would find the row that it inserted itself.
 */
export const insertForOrganisation = (
  db: Knex,
  table: string,
  row: Row & Readonly<{ organisation: string }>,
): Promise<'created' | 'taken' | 'organisation_does_not_exist'> => {
  const columns = Object.keys(row)
  const values = db
    .select(columns.map((column) => db.raw('?', [row[column] ?? null])))
    .from(tables.organisations)
    .where('code', row.organisation)
  return unlessDuplicate(async () => {
    await db(db.raw('?? (??)', [table, columns])).insert(values)
    const organisation: unknown = await db(tables.organisations).where('code', row.organisation).first('code')
    return organisation === undefined ? 'organisation_does_not_exist' : 'created'
  }, 'taken')
}
