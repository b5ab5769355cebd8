import type { Knex } from 'knex'
import { LibsqlDialect } from './libsql-dialect.js'
import { PreparedMysqlDialect } from './prepared-mysql-dialect.js'

export type SqlDialect = 'mysql' | 'sqlite'

/**
 * Which SQL the database speaks. The stores rely on how `connectSql` sets a connection up (dates as text, matched
 * rows, isolation), so a `TypeError` refuses a Knex that was made in another way.
 */
export const dialectOf = (knex: Knex): SqlDialect => {
  const client: unknown = knex.client
  if (client instanceof PreparedMysqlDialect) return 'mysql'
  if (client instanceof LibsqlDialect) return 'sqlite'
  throw new TypeError('The stores need a Knex that was made by connectSql')
}
