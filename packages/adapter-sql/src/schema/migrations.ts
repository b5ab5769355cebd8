import type { Knex } from 'knex'
import {
  accountImports,
  importRuns,
  openFailures,
  sourceAccounts,
  statementColumns,
  unsealedIndex,
} from './later-tables.js'
import { allTables, type Table } from './tables.js'

/** Writes tables in the types of a database, and creates them. An existing table is kept, so that an interrupted step can run again. */
type Writing = Readonly<{
  columns(columns: string): string
  createTable(knex: Knex, table: Table): Promise<void>
}>

/** Leaves out columns that an interrupted step has added. */
const addColumns = async (
  knex: Knex,
  dialect: Writing,
  table: string,
  columns: readonly string[],
): Promise<void> => {
  for (const column of columns)
    if (!(await knex.schema.hasColumn(table, column.split(' ', 1).join())))
      await knex.raw(`ALTER TABLE ${table} ADD COLUMN ${dialect.columns(column)}`)
}

const createTable = (knex: Knex, dialect: Writing, table: Table): Promise<void> =>
  dialect.createTable(knex, { ...table, columns: dialect.columns(table.columns) })

/**
 * All migrations, oldest first. A released migration never changes, including the dialect's part of it; a change is a new step at
 * the end. No migration is undone: a restore is from a backup.
 */
export const migrations: readonly Readonly<{
  name: string
  /** The tables that the step makes or changes, as they are after it. */
  tables: readonly Table[]
  /** Runs once on each database. `hasKey`: whether a table has a key or an index of this name. */
  up: (knex: Knex, dialect: Writing, hasKey: (knex: Knex, name: string) => Promise<boolean>) => Promise<void>
}>[] = [
  {
    name: '0001-tables',
    tables: allTables,
    up: async (knex, dialect) => {
      for (const table of allTables) await createTable(knex, dialect, table)
    },
  },
  {
    name: '0002-open-failures',
    tables: [openFailures, importRuns],
    up: async (knex, dialect) => {
      await createTable(knex, dialect, openFailures)
      await addColumns(knex, dialect, importRuns.name, [sourceAccounts])
    },
  },
  {
    name: '0003-imports-in-one-statement',
    tables: [accountImports],
    up: async (knex, dialect, hasKey) => {
      await addColumns(knex, dialect, accountImports.name, statementColumns)
      // An index of its own statement: with columns in one, MySQL would copy the table.
      for (const [name, columns] of Object.entries(unsealedIndex))
        if (!(await hasKey(knex, name)))
          await knex.raw(`CREATE INDEX ${name} ON ${accountImports.name} (${columns})`)
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
