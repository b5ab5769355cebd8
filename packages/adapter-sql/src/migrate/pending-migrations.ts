import type { Knex } from 'knex'
import { doneMigrations } from './migration-books.js'
import { migrationNames } from '../schema/migrations.js'

/**
 * The names of migrations that the database still needs, oldest first. Reads by one statement and changes nothing, not
 * even the bookkeeping, so it can be called every second and by a user who may not make tables. Rejects with the
 * driver's error.
 */
export const pendingMigrations = async (knex: Knex): Promise<readonly string[]> => {
  const has = new Set(await doneMigrations(knex))
  return migrationNames.filter((name) => !has.has(name))
}
