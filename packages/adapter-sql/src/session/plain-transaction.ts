import type { Knex } from 'knex'
import type { Statements } from './statements.js'
import type { ClientQuery } from '../drivers/knex-clients.js'

/** What the transaction uses of a Knex client: its published type has no shape. */
type Client<Connection> = Readonly<{
  acquireConnection(): Promise<Connection>
  releaseConnection(connection: Connection): Promise<void>
  query(connection: Connection, query: ClientQuery): Promise<ClientQuery>
}>

/**
 * A transaction for SQL that is written out, on a connection of the pool. `knex.transaction` makes a whole Knex for
 * each transaction, with a query builder that such work does not need: on the hot path that costs several times
 * what the statements do. Commits, or rolls back when the work throws.
 */
export const plainTransaction = async <A>(knex: Knex, work: (db: Statements) => Promise<A>): Promise<A> => {
  const client = knex.client as Client<unknown>
  const connection = await client.acquireConnection()
  const raw = async (sql: string, bindings?: readonly Knex.RawBinding[]): Promise<unknown> =>
    (await client.query(connection, bindings === undefined ? { sql } : { sql, bindings })).response
  const rollBack = async (): Promise<void> => {
    try {
      await raw('ROLLBACK')
    } catch {
      // The client has marked the connection as unusable; the caller gets the error of the work, not this one.
    }
  }
  try {
    await raw('BEGIN;')
    const result = await work({ raw })
    await raw('COMMIT;')
    return result
  } catch (cause) {
    await rollBack()
    throw cause
  } finally {
    await client.releaseConnection(connection)
  }
}
