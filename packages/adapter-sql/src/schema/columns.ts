import type { Knex } from 'knex'

type Table = Knex.CreateTableBuilder
type Column = Knex.ColumnBuilder

/** The lengths of identifiers, in code points. */
export const lengths = {
  organisation: 64,
  importSupplier: 32,
  externalAccountNumber: 128,
  platformAccountNumber: 32,
  operationsTeam: 255,
  token: 64,
  code: 128,
}

/** A point in time in UTC, to the millisecond. */
export const instant = (table: Table, name: string): Column => table.datetime(name, { precision: 3 })

/** Text of any length, kept exactly; also what is kept as JSON. */
export const longText = (table: Table, name: string): Column => table.text(name, 'longtext')

/** Twelve digits, two of them decimals. */
export const money = (table: Table, name: string): Column => table.decimal(name, 12, 2)

/** What every key of an import begins with; returns the names of its columns. */
export const importKey = (table: Table): string[] => {
  table.string('organisation', lengths.organisation).notNullable()
  table.string('import_supplier', lengths.importSupplier).notNullable()
  table.string('external_account_number', lengths.externalAccountNumber).notNullable()
  return ['organisation', 'import_supplier', 'external_account_number']
}

/** What the key of every row of an account begins with; returns the names of its columns. */
export const accountRowKey = (table: Table): string[] => {
  table.string('organisation', lengths.organisation).notNullable()
  table.string('import_supplier', lengths.importSupplier).notNullable()
  table.string('platform_account_number', lengths.platformAccountNumber).notNullable()
  return ['organisation', 'import_supplier', 'platform_account_number']
}

/** Columns of optional text, each of the length. */
export const texts = (table: Table, length: number, names: readonly string[]): void => {
  for (const name of names) table.string(name, length)
}

/** A data key as its row holds it: the id of the key that wrapped it, and what it wrapped. */
export const wrappedKey = (table: Table, name: string): Column => table.string(name, 512)
