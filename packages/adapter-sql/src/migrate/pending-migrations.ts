import type { Knex } from 'knex'
import { migrationNames } from './migration-source.js'
import { migrationsTable } from './migrations-table.js'

const done = async (knex: Knex): Promise<readonly string[]> => {
  try {
    return (await knex(migrationsTable).pluck('name')) as readonly string[]
  } catch (cause) {
    if (await knex.schema.hasTable(migrationsTable)) throw cause
    return []
  }
}

/**
 * The names of migrations that the database still needs, oldest first. Reads by one statement and changes nothing, not
 * even the bookkeeping, so it can be called every second and by a user who may not make tables. Rejects with the
 * driver's error.
 */
export const pendingMigrations = async (knex: Knex): Promise<readonly string[]> => {
  const has = new Set(await done(knex))
  return migrationNames.filter((name) => !has.has(name))
}
