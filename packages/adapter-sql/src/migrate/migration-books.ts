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

/** The tables were made by a build before the first release, and nothing leads from those to the tables of a release. */
class UnreleasedBuildError extends Error {
  override readonly name = 'UnreleasedBuildError'
  readonly code = 'DATABASE_OF_UNRELEASED_BUILD'
  constructor() {
    super('the tables of the database were made by a build before the first release')
  }
}

/** The first migration of all builds before the first release. */
const unreleased = '0001-registers'

/** The names of what was done, in its order. Rejects with an error of the code `DATABASE_OF_UNRELEASED_BUILD`. */
export const readBooks = async (knex: Knex): Promise<readonly string[]> => {
  const names = (await knex(migrationsTable).orderBy('id').pluck('name')) as readonly string[]
  if (names.includes(unreleased)) throw new UnreleasedBuildError()
  return names
}

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
