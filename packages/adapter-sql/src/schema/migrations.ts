import type { Knex } from 'knex'
import { allTables, type CreateTable } from './tables.js'

/** A step of the migrations; it is done once on each database. */
export type Step = (knex: Knex, createTable: CreateTable) => Promise<void>

/**
 * All migrations, oldest first. A released one stays as it is, with what it gets from the dialect; a change is a new step at the
 * end. None is ever undone: a restore is from a backup.
 */
export const migrations: readonly Readonly<{ name: string; up: Step }>[] = [
  {
    name: '0001-tables',
    up: async (knex, createTable) => {
      for (const table of allTables) await createTable(knex, table)
    },
  },
]
