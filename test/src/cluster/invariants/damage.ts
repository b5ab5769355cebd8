import type { SharedDatabase } from '../../support/shared-database.js'

type Row = Readonly<Record<string, string>>

const tablesOf =
  'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() ORDER BY name'

/**
 * What the database finds damaged in its own files: an index that knows a row which the table has not, and the like. No
 * statement can do that, as each changes a row with all its indexes or not at all.
 */
export const damageOf = async ({ knex, environment }: SharedDatabase): Promise<readonly string[]> => {
  if (environment['DATABASE_URL']?.startsWith('sqlite:')) {
    const rows = (await knex.raw('PRAGMA integrity_check')) as readonly Row[]
    return rows.map((row) => row['integrity_check'] ?? '').filter((text) => text !== 'ok')
  }
  const [tables] = (await knex.raw(tablesOf)) as readonly [readonly Row[]]
  const names = tables.map(({ name }) => name).join(', ')
  const [said] = (await knex.raw(`CHECK TABLE ${names} EXTENDED`)) as readonly [readonly Row[]]
  return said.filter((row) => row['Msg_text'] !== 'OK').map((row) => `${row['Table']}: ${row['Msg_text']}`)
}
