import type { Knex } from 'knex'
import { dialects } from './dialects.js'
import type { SqlDialect } from './sql-dialect.js'

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
