import type { Knex } from 'knex'
import { mysql } from './mysql.js'
import { postgresql } from './postgresql.js'
import type { SqlDialect } from './sql-dialect.js'
import { sqlite } from './sqlite.js'

/** The dialects of all supported databases. */
export const dialects: readonly SqlDialect[] = [mysql, postgresql, sqlite]

/**
 * The dialect of a database. The stores depend on the connection settings of `connectSql` (dates as text, matched rows,
 * isolation), so any other Knex throws a `TypeError`.
 */
export const dialectOf = (knex: Knex): SqlDialect => {
  const client: unknown = knex.client
  const dialect = dialects.find((each) => client instanceof each.client)
  if (dialect === undefined) throw new TypeError('The stores need a Knex that was made by connectSql')
  return dialect
}

/** Makes a text once for each dialect, for texts that every request needs. */
export const perDialect = (make: (dialect: SqlDialect) => string): ((dialect: SqlDialect) => string) => {
  const made = new Map<SqlDialect, string>()
  return (dialect) => {
    const text = made.get(dialect) ?? make(dialect)
    made.set(dialect, text)
    return text
  }
}
