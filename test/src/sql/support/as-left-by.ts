import { migrate } from '@account-import/adapter-sql'
import type { Opened } from './databases.js'

type Knex = Opened['knex']

const books = 'account_import_migrations'

const tablesOf = async (knex: Knex): Promise<readonly string[]> => {
  const isSqlite = knex.client.dialect === 'sqlite3'
  const found = isSqlite
    ? knex('sqlite_master').where({ type: 'table' }).whereNot('name', 'like', 'sqlite_%')
    : knex('information_schema.tables')
        .where({ table_schema: knex.raw('DATABASE()') })
        .select('table_name as name')
  return ((await found) as readonly Readonly<{ name: string }>[]).map(({ name }) => name)
}

/** Makes a database of the current version one without tables, but for the empty books of migrations. */
export const emptied = async (knex: Knex): Promise<void> => {
  for (const name of await tablesOf(knex)) if (name !== books) await knex.schema.dropTable(name)
  await knex(books).delete()
}

/** Makes a database of the current version an empty one of the version whose last migration was this one. */
export const asLeftBy = async (knex: Knex, last: string): Promise<void> => {
  const later = (await knex(books).where('name', '>', last).orderBy('id')) as readonly object[]
  await emptied(knex)
  // Migrations that the books name are not run.
  await knex(books).insert(later)
  await migrate(knex)
  await knex(books).where('name', '>', last).delete()
}
