import type { Knex } from 'knex'
import type { Statements } from '../session/statements.js'

/** What the drivers say of a statement that changes rows; MySQL's within a list. */
type Changed = Readonly<{ affectedRows?: number; changes?: number }>

/** Runs an UPDATE that is written out: how many rows met its condition, whether they looked different before or not. */
export const updateRows = async (
  db: Statements,
  sql: string,
  bindings: readonly Knex.RawBinding[],
): Promise<number> => {
  const result = (await db.raw(sql, bindings)) as Changed | readonly [Changed, unknown]
  const { affectedRows, changes } = Array.isArray(result) ? (result[0] as Changed) : (result as Changed)
  return affectedRows ?? changes ?? 0
}
