import type { Knex } from 'knex'
import { mysql } from './mysql.js'
import type { SqlDialect } from './sql-dialect.js'
import { sqlite } from './sqlite.js'

/** Every SQL that the stores speak. */
export const dialects: readonly SqlDialect[] = [mysql, sqlite]

/**
 * Which SQL the database speaks. The stores rely on how `connectSql` sets a connection up (dates as text, matched
 * rows, isolation), so a `TypeError` refuses a Knex that was made in another way.
 */
export const dialectOf = (knex: Knex): SqlDialect => {
  const client: unknown = knex.client
  const dialect = dialects.find((each) => client instanceof each.client)
  if (dialect === undefined) throw new TypeError('The stores need a Knex that was made by connectSql')
  return dialect
}

/** Makes a text once for each dialect, where it is needed for every request. */
export const perDialect = (make: (dialect: SqlDialect) => string): ((dialect: SqlDialect) => string) => {
  const made = new Map<SqlDialect, string>()
  return (dialect) => {
    const text = made.get(dialect) ?? make(dialect)
    made.set(dialect, text)
    return text
  }
}
