import type { Connection, QueryError } from 'mysql2'
import { databaseError } from './database-error.js'
import { clientClass, type ClientQuery } from './knex-clients.js'

type PooledConnection = Connection & { __knex__disposed?: unknown }

/**
 * What every connection is set to, whatever the server's defaults: statements lock the rows that they change and
 * no gaps; a value that does not fit is refused, not cut; a lock is not waited for longer than a client waits.
 */
const sessionSettings = [
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
  "SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,NO_ENGINE_SUBSTITUTION', " +
    'SESSION innodb_lock_wait_timeout = 5',
]

/**
 * A server that stands still, or a network that drops everything, keeps connections open and never answers. Longer
 * than any lock is waited for. Changes of the schema may take as long as they need.
 */
const mostMilliseconds = 10_000
const changesSchema = /^\s*(?:create|alter|drop|rename)\b/i

/** The driver sends numbers as doubles, which MySQL 8 refuses in a LIMIT; it takes whole numbers as text anywhere. */
const asParameter = (value: unknown): unknown => (Number.isInteger(value) ? String(value) : value)

const send = (connection: Connection, query: ClientQuery): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const bound = changesSchema.test(query.sql) ? {} : { timeout: mostMilliseconds }
    const options = { ...query.options, ...bound, sql: query.sql }
    const done = (error: QueryError | null, rows: unknown, fields: unknown): void =>
      error === null ? resolve([rows, fields]) : reject(error)
    if (query.bindings === undefined || query.bindings.length === 0) connection.query(options, done)
    else if (query.bindings.some(Array.isArray))
      connection.query({ ...options, values: [...query.bindings] }, done)
    else connection.execute(options, query.bindings.map(asParameter) as string[], done)
  })

/**
 * Knex's mysql2 client, but statements with values go as prepared ones: the text protocol would copy and escape a
 * whole payload into the SQL. Only a list of rows, which a prepared statement cannot take, is escaped into it.
 */
export class PreparedMysqlClient extends clientClass<PooledConnection>('mysql2') {
  override async acquireRawConnection(): Promise<PooledConnection> {
    const connection = await super.acquireRawConnection()
    try {
      for (const sql of sessionSettings) await send(connection, { sql })
      return connection
    } catch (error) {
      connection.destroy()
      throw databaseError(error)
    }
  }

  override async _query(connection: PooledConnection, query: ClientQuery): Promise<ClientQuery> {
    try {
      query.response = await send(connection, query)
      return query
    } catch (thrown) {
      const error = databaseError(thrown)
      // The answer may still come: nobody else must get it.
      if (error.code === 'PROTOCOL_SEQUENCE_TIMEOUT') connection.destroy()
      // A transaction that may still be open must not reach the next user of the connection.
      if (/^(COMMIT|ROLLBACK)\b/.test(query.sql)) connection.__knex__disposed = error
      // The server rolls back what a lost connection began, so this failure may not hide why the work failed.
      if (error.fatal && query.sql.startsWith('ROLLBACK')) return { ...query, response: [] }
      throw error
    }
  }
}
