import type { Knex } from 'knex'
import type { Statements } from '../session/statements.js'

/** The rows of a raw SELECT: MySQL's driver gives them with the description of the columns. */
export const selectRows = async <R>(
  db: Statements,
  sql: string,
  bindings: readonly Knex.RawBinding[],
): Promise<readonly R[]> => {
  const result = (await db.raw(sql, bindings)) as readonly R[] | readonly [readonly R[], unknown]
  return Array.isArray(result[0]) ? result[0] : (result as readonly R[])
}
