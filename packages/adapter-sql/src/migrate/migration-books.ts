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

/** A migration that was done, and by which run. */
type Entry = Readonly<{ name: string; batch: number }>

/** What was done, in its order. */
export const readBooks = async (knex: Knex): Promise<readonly Entry[]> =>
  (await knex(migrationsTable).orderBy('id').select('name', 'batch')) as readonly Entry[]

/** The names of what was done, in its order; none where the database has no books yet. Changes nothing. */
export const doneMigrations = async (knex: Knex): Promise<readonly string[]> => {
  const names = async (): Promise<readonly string[]> => (await readBooks(knex)).map(({ name }) => name)
  try {
    return await names()
  } catch {
    if (!(await knex.schema.hasTable(migrationsTable))) return []
    // Another process may have made them in between; any other failure comes again.
    return names()
  }
}
