import type { Knex } from 'knex'

/** A table. Its columns are SQL in the types of MySQL, whose names SQLite takes too; lists of columns have commas. */
export type Table = Readonly<{
  name: string
  columns: string
  primary: string
  /** Unique keys and other indexes, by their names. */
  unique?: Readonly<Record<string, string>>
  indexes?: Readonly<Record<string, string>>
}>

/** The one difference between databases that steps have to know. A value that a released step gets from it stays as it is. */
export type SchemaDialect = Readonly<{
  name: string
  /**
   * Creates a table with all its keys and indexes, whose texts are compared exactly. A step that was cut off is run again: a
   * table that is there is whole, and stays as it is.
   */
  createTable(knex: Knex, table: Table): Promise<void>
}>

/** A step of the migrations; it is done once on each database. */
export type Step = (knex: Knex, schema: SchemaDialect) => Promise<void>

/** The key of an import, of its account and of its e-mail. Lengths are in code points. */
export const importKey = 'organisation, import_supplier, external_account_number'

export const importKeyColumns =
  'organisation VARCHAR(64) NOT NULL, import_supplier VARCHAR(32) NOT NULL, ' +
  'external_account_number VARCHAR(128) NOT NULL'
