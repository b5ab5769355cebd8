import type { Knex } from 'knex'
import { allTables, type Table } from './tables.js'

/**
 * All migrations, oldest first. A released migration never changes, including the dialect's part of it; a change is a new step at
 * the end. No migration is undone: a restore is from a backup.
 */
export const migrations: readonly Readonly<{
  name: string
  /** Runs once on each database. `createTable` skips an existing table, so that an interrupted step can run again. */
  up: (knex: Knex, createTable: (knex: Knex, table: Table) => Promise<void>) => Promise<void>
}>[] = [
  {
    name: '0001-tables',
    up: async (knex, createTable) => {
      for (const table of allTables) await createTable(knex, table)
    },
  },
]
