import type { Knex } from 'knex'
import type { Connection, QueryError } from 'mysql2'
import { databaseError } from './database-error.js'
import { clientClass, type ClientQuery } from './knex-clients.js'
import type { OpenConnection, Primary } from './primary.js'

type PooledConnection = OpenConnection & { __knex__disposed?: unknown }

/** The options of Knex for a MySQL server. A transaction's client is a bare copy that shares just this. */
export type MysqlConfig = Knex.Config & Readonly<{ primary: Primary }>

/**
 * The settings of every connection, whatever the server's defaults: statements lock the rows that they change and
 * no gaps; a value that does not fit is refused, not cut; a lock is not waited for longer than a client waits.
 */
const sessionSettings = [
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
  "SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,NO_ENGINE_SUBSTITUTION', " +
    'SESSION innodb_lock_wait_timeout = 5',
]

/**
 * On a node of Galera reads, updates, deletes and inserts begin when the node has what the others had committed before: else
 * who was answered by one node would not find it on the next. An insert may read too: a staging reads its supplier. MySQL
 * does not know the variable.
 */
const causality = 'SET SESSION wsrep_sync_wait = 7'
const unknownVariable = 1193

/**
 * A server that stands still, or a network that drops everything, keeps connections open and never answers. Longer
 * than any lock is waited for. Changes of the schema may take as long as they need.
 */
const mostMilliseconds = 10_000
const changesSchema = /^\s*(?:create|alter|drop|rename)\b/i

/** The driver sends numbers as doubles, which MySQL 8 refuses in a LIMIT; it takes whole numbers as text anywhere. */
const asParameter = (value: unknown): unknown => (Number.isInteger(value) ? String(value) : value)

/** Errors by which a server says that it takes no writes any more, or has left its cluster. */
const ofNoPrimary: ReadonlySet<number | undefined> = new Set([
  1047, // Galera: the node is not ready
  1290, // an option prevents it: read_only
  1836, // read-only mode
  3100, // Group Replication: the hook before a commit failed
  3101, // Group Replication: rolled back during the commit
])

const noAnswer = (): Error =>
  Object.assign(new Error('the server does not answer in time'), { code: 'PROTOCOL_SEQUENCE_TIMEOUT' })

/** The time is ours to watch: the driver's own limit does not hold while a statement is being prepared. */
const send = (connection: Connection, query: ClientQuery): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const timer = changesSchema.test(query.sql)
      ? undefined
      : setTimeout(() => reject(noAnswer()), mostMilliseconds)
    const options = { ...query.options, sql: query.sql }
    const done = (error: QueryError | null, rows: unknown, fields: unknown): void => {
      clearTimeout(timer)
      if (error === null) resolve([rows, fields])
      else reject(error)
    }
    if (query.bindings === undefined || query.bindings.length === 0) connection.query(options, done)
    else if (query.bindings.some(Array.isArray))
      connection.query({ ...options, values: [...query.bindings] }, done)
    else connection.execute(options, query.bindings.map(asParameter) as string[], done)
  })

const setUp = async (connection: Connection): Promise<void> => {
  for (const sql of sessionSettings) await send(connection, { sql })
  try {
    await send(connection, { sql: causality })
  } catch (error) {
    if (databaseError(error).errno !== unknownVariable) throw error
  }
}

/**
 * Knex's mysql2 client, but statements with values go as prepared ones: the text protocol would copy and escape a
 * whole payload into the SQL. Only a list of rows, which a prepared statement cannot take, is escaped into it.
 */
export class PreparedMysqlClient extends clientClass<PooledConnection>('mysql2') {
  declare readonly config: MysqlConfig

  override async acquireRawConnection(): Promise<PooledConnection> {
    const connection = await this.config.primary.connect()
    try {
      await setUp(connection)
      return connection
    } catch (error) {
      connection.destroy()
      throw databaseError(error)
    }
  }

  override validateConnection(connection: PooledConnection): boolean {
    return super.validateConnection(connection) && this.config.primary.isTrusted(connection)
  }

  override async destroyRawConnection(connection: PooledConnection): Promise<unknown> {
    if (this.config.primary.isTrusted(connection)) return super.destroyRawConnection(connection)
    // Nobody may be there to say goodbye to.
    return connection.stream.destroy()
  }

  /** Rejects with a `DatabaseError` unless the server in use takes writes. */
  async assertTakesWrites(): Promise<void> {
    const check = async (): Promise<void> => {
      const connection = await this.acquireConnection()
      try {
        await this.config.primary.check(connection)
      } finally {
        await this.releaseConnection(connection)
      }
    }
    // Another one may be the primary by now: the second connection goes there.
    await check().catch(check)
  }

  override async _query(connection: PooledConnection, query: ClientQuery): Promise<ClientQuery> {
    try {
      query.response = await this.config.primary.answerOf(connection, send(connection, query))
      return query
    } catch (thrown) {
      const error = databaseError(thrown)
      if (ofNoPrimary.has(error.errno)) this.config.primary.doubt(connection)
      // The answer may still come: nobody else must get it.
      if (error.code === 'PROTOCOL_SEQUENCE_TIMEOUT') connection.destroy()
      // It keeps the rights that its user had when it began: a new one has those that were granted since.
      if (error.denied !== undefined) connection.__knex__disposed = error
      // A transaction that may still be open must not reach the next user of the connection.
      if (/^(COMMIT|ROLLBACK)\b/.test(query.sql)) connection.__knex__disposed = error
      // The server rolls back what a lost connection began, so this failure may not hide why the work failed.
      if (error.fatal && query.sql.startsWith('ROLLBACK')) return { ...query, response: [] }
      throw error
    }
  }
}
