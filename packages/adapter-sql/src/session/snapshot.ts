import type { Knex } from 'knex'
import type { SqlDialect } from '../dialects/sql-dialect.js'
import { onConnection } from './on-connection.js'
import type { Statements } from './statements.js'

/** Reads the database as it is in one moment, without keeping anybody from writing. */
export const inSnapshot = <A>(
  knex: Knex,
  { snapshot }: SqlDialect,
  work: (db: Statements) => Promise<A>,
): Promise<A> =>
  onConnection(knex, async (db) => {
    for (const statement of snapshot.begin) await db.raw(statement, [])
    const end = async (): Promise<unknown> => db.raw(snapshot.end, [])
    const result = await work(db).catch(async (cause: unknown) => {
      // Where the connection is lost nothing can be ended: what failed first says why.
      await end().catch(() => undefined)
      throw cause
    })
    await end()
    return result
  })
