import type { Knex } from 'knex'
import { doneMigrations } from './migration-books.js'
import { migrationNames } from '../schema/migrations.js'

/** The names of migrations that the database has and this version does not know: a later one made them. Changes nothing. */
export const unknownMigrations = async (knex: Knex): Promise<readonly string[]> =>
  (await doneMigrations(knex)).filter((name) => !migrationNames.includes(name))
