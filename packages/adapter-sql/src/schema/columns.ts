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

/** The key of an import, of its account and of its e-mail; returns the names of its columns. */
export const importKey = (table: Table): string[] => {
  table.string('organisation', lengths.organisation).notNullable()
  table.string('import_supplier', lengths.importSupplier).notNullable()
  table.string('external_account_number', lengths.externalAccountNumber).notNullable()
  return ['organisation', 'import_supplier', 'external_account_number']
}

/** A data key as its row holds it: the id of the key that wrapped it, and what it wrapped. */
export const wrappedKey = (table: Table, name: string): Column => table.string(name, 512)
