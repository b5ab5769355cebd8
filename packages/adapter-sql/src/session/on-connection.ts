import type { Knex } from 'knex'
import type { ClientQuery } from '../drivers/knex-clients.js'
import type { Statements } from './statements.js'

/** What is used of a Knex client: its published type has no shape. */
type Client<Connection> = Readonly<{
  acquireConnection(): Promise<Connection>
  releaseConnection(connection: Connection): Promise<void>
  query(connection: Connection, query: ClientQuery): Promise<ClientQuery>
}>

/**
 * Runs SQL that is written out on a connection of the pool, straight through the driver. The query builder, which
 * such work does not need, costs several times what the statements do. Waiting for the connection ends as it does
 * for everybody else, and nothing is opened beside the pool.
 */
export const onConnection = async <A>(knex: Knex, work: (db: Statements) => Promise<A>): Promise<A> => {
  const client = knex.client as Client<unknown>
  const connection = await client.acquireConnection()
  try {
    return await work({
      raw: async (sql, bindings) => (await client.query(connection, { sql, bindings })).response,
    })
  } finally {
    await client.releaseConnection(connection)
  }
}
