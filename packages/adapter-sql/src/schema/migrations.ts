import type { Knex } from 'knex'
import { allTables, importRuns, openFailures, sourceAccounts, type Table } from './tables.js'

/**
 * All migrations, oldest first. A released migration never changes, including the dialect's part of it; a change is a new step at
 * the end. No migration is undone: a restore is from a backup.
 */
export const migrations: readonly Readonly<{
  name: string
  /** The tables that the step makes or changes, as they are after it. */
  tables: readonly Table[]
  /** Runs once on each database. `createTable` skips an existing table, so that an interrupted step can run again. */
  up: (knex: Knex, createTable: (knex: Knex, table: Table) => Promise<void>) => Promise<void>
}>[] = [
  {
    name: '0001-tables',
    tables: allTables,
    up: async (knex, createTable) => {
      for (const table of allTables) await createTable(knex, table)
    },
  },
  {
    name: '0002-open-failures',
    tables: [openFailures, importRuns],
    up: async (knex, createTable) => {
      await createTable(knex, openFailures)
      // An interrupted step may have added it.
      if (!(await knex.schema.hasColumn(importRuns.name, 'source_accounts')))
        await knex.raw(`ALTER TABLE ${importRuns.name} ADD COLUMN ${sourceAccounts}`)
    },
  },
]

/** The tables after these migrations. */
export const tablesAfter = (done: readonly string[]): readonly Table[] => [
  ...new Map(
    migrations
      .filter(({ name }) => done.includes(name))
      .flatMap(({ tables }) => tables.map((table) => [table.name, table] as const)),
  ).values(),
]
