import type { Knex } from 'knex'
import { onConnection } from './on-connection.js'
import type { Statements } from './statements.js'

const rollBack = async (db: Statements): Promise<void> => {
  try {
    await db.raw('ROLLBACK', [])
  } catch {
    // The dialect has put the connection out of use; the caller hears why the work failed.
  }
}

/**
 * A transaction for SQL that is written out; `knex.transaction` makes a whole Knex for each. Commits, or rolls back
 * when the work throws.
 */
export const plainTransaction = <A>(knex: Knex, work: (db: Statements) => Promise<A>): Promise<A> =>
  onConnection(knex, async (db) => {
    try {
      await db.raw('BEGIN;', [])
      const result = await work(db)
      await db.raw('COMMIT;', [])
      return result
    } catch (cause) {
      await rollBack(db)
      throw cause
    }
  })
