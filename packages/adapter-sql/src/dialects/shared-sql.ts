import type { Knex } from 'knex'
import type { Table } from '../schema/tables.js'
import type { SqlDialect } from './sql-dialect.js'

// SQL that SQLite and PostgreSQL have in common.

export const onConflict: SqlDialect['orUpdate'] = (key, assignments) => {
  const list = assignments((column) => `excluded.${column}`)
  return `ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${list.map(([column, value]) => `${column} = ${value}`).join(', ')}`
}

export const insertOfRows: SqlDialect['insert'] = (table, columns, rows) => {
  const row = `(${columns.map(() => '?').join(', ')})`
  return {
    sql: `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${rows.map(() => row).join(', ')}`,
    bindings: rows.flat() as Knex.RawBinding[],
  }
}

const created = (
  kind: string,
  table: string,
  keys: Readonly<Record<string, string>> = {},
): readonly string[] =>
  Object.entries(keys).map(([name, columns]) => `CREATE ${kind} ${name} ON ${table} (${columns})`)

/** The statements that make the keys and indexes of a table, besides its primary key. */
export const indexStatements = ({ name, unique, indexes }: Table): readonly string[] => [
  ...created('UNIQUE INDEX', name, unique),
  ...created('INDEX', name, indexes),
]
