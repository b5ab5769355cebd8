import type { Knex } from 'knex'
import { migrationsTable } from './migrations-table.js'

/** Makes the table that says which migrations were done, as Knex makes its own. */
export const makeBooks = async (knex: Knex): Promise<void> => {
  if (await knex.schema.hasTable(migrationsTable)) return
  await knex.schema.createTable(migrationsTable, (table) => {
    table.increments()
    table.string('name')
    table.integer('batch')
    table.timestamp('migration_time')
  })
}

/** The names of what was done, in its order. */
export const readBooks = async (knex: Knex): Promise<readonly string[]> =>
  (await knex(migrationsTable).orderBy('id').pluck('name')) as readonly string[]

/** The same; none where the database has no books yet. Changes nothing. */
export const doneMigrations = async (knex: Knex): Promise<readonly string[]> => {
  try {
    return await readBooks(knex)
  } catch {
    if (!(await knex.schema.hasTable(migrationsTable))) return []
    // Another process may have made them in between; any other failure comes again.
    return readBooks(knex)
  }
}
