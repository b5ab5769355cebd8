import type { SharedDatabase } from '../../support/shared-database.js'

type Row = Readonly<Record<string, string>>

const tablesOf =
  'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() ORDER BY name'

/** What InnoDB says of an index that knows a row which the table has not. */
const lostRow = /Clustered index record not found/

/**
 * What MariaDB says of its own files where they have lost a row that an index still knows; nothing else counts. No statement can
 * do that, as each changes a row with all its indexes or not at all. SQLite is set up by us, and is never excused.
 */
export const damageOf = async ({ knex, environment }: SharedDatabase): Promise<readonly string[]> => {
  if (environment['DATABASE_URL']?.startsWith('sqlite:')) return []
  const [tables] = (await knex.raw(tablesOf)) as readonly [readonly Row[]]
  const names = tables.map(({ name }) => name).join(', ')
  const [said] = (await knex.raw(`CHECK TABLE ${names} EXTENDED`)) as readonly [readonly Row[]]
  if (!said.some((row) => lostRow.test(row['Msg_text'] ?? ''))) return []
  return said.filter((row) => row['Msg_text'] !== 'OK').map((row) => `${row['Table']}: ${row['Msg_text']}`)
}
