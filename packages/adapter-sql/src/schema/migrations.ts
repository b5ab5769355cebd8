import type { Knex } from 'knex'
import { allTables, type Table } from './tables.js'

/**
 * All migrations, oldest first. A released one stays as it is, with what it gets from the dialect; a change is a new step at the
 * end. None is ever undone: a restore is from a backup.
 */
export const migrations: readonly Readonly<{
  name: string
  /** Done once on each database. `createTable` leaves a table that is there as it is: a step that was cut off is run again. */
  up: (knex: Knex, createTable: (knex: Knex, table: Table) => Promise<void>) => Promise<void>
}>[] = [
  {
    name: '0001-tables',
    up: async (knex, createTable) => {
      for (const table of allTables) await createTable(knex, table)
    },
  },
]
