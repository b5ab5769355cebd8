import type { Knex } from 'knex'
import type { Connection, QueryError, ResultSetHeader } from 'mysql2'
import { DatabaseError } from '../drivers/database-error.js'
import { clientClass, type ClientQuery } from '../drivers/knex-clients.js'
import { Primary } from '../drivers/primary.js'
import { mysqlSettings } from '../drivers/urls.js'
import type { Table } from '../schema/tables.js'
import type { ConnectOptions, RetryReason, SqlDialect } from './sql-dialect.js'

type PooledConnection = Awaited<ReturnType<Primary['connect']>> & {
  __knex__disposed?: unknown
  /** The value of `max_allowed_packet`. */
  mostBytes?: number
}

/** Knex's options for a MySQL server. The client of a transaction is a bare copy that shares only these options. */
type MysqlConfig = Knex.Config & Readonly<{ primary: Primary }>

/**
 * A node of Galera begins reads, updates, deletes and inserts after it has applied all earlier commits of the other nodes:
 * otherwise a client might not find its change on the next node. Inserts may read too: a staging reads its supplier. MySQL does
 * not have the variable.
 */
const causality = 'SET SESSION wsrep_sync_wait = 7'
const unknownVariable = 1193

/**
 * A stalled server, or a network that drops everything, keeps connections open without a response. The limit is longer than any
 * wait for a lock. Changes of the schema have no limit.
 */
const mostMilliseconds = 10_000
const changesSchema = /^\s*(?:create|alter|drop|rename)\b/i

/** The driver sends numbers as doubles, which MySQL 8 refuses in a LIMIT; it takes whole numbers as text anywhere. */
const asParameter = (value: unknown): unknown => (Number.isInteger(value) ? String(value) : value)

/** Errors of a server that takes no writes any more, or has left its cluster. */
const ofNoPrimary: ReadonlySet<number | undefined> = new Set([
  1047, // Galera: the node is not ready
  1290, // an option prevents it: read_only
  1836, // read-only mode
  3100, // Group Replication: the hook before a commit failed
  3101, // Group Replication: rolled back during the commit
])

const noAnswer = (): Error =>
  Object.assign(new Error('the server does not answer in time'), { code: 'PROTOCOL_SEQUENCE_TIMEOUT' })

/** Sends a statement with its own time limit, because the driver's does not cover the preparation of a statement. */
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

const packetText = 'SELECT @@max_allowed_packet AS bytes'
const packetTooLarge = 1153

/** The bytes around the values of a statement: its text, and the lengths and types of values. */
const overheadBytes = 16_384

/** The bytes of a value in a statement. Bytes in a list of rows are written into the SQL in hexadecimal. */
const bytesIn = (value: unknown, isInList = false): number => {
  if (typeof value === 'string') return Buffer.byteLength(value)
  if (Buffer.isBuffer(value)) return value.length * (isInList ? 2 : 1)
  return Array.isArray(value) ? value.reduce<number>((sum, each) => sum + bytesIn(each, true), 0) : 8
}

/**
 * Refuses a statement that is larger than `max_allowed_packet` before it is sent: the server would close the connection, often
 * before the client has read why.
 */
const assertFits = ({ bindings = [] }: ClientQuery, mostBytes = Infinity): void => {
  const bytes = bindings.reduce<number>((sum, each) => sum + bytesIn(each), overheadBytes)
  if (bytes <= mostBytes) return
  const message = `the statement has ${bytes} bytes, and max_allowed_packet of the server is ${mostBytes}`
  throw Object.assign(new Error(message), {
    code: 'ER_NET_PACKET_TOO_LARGE',
    errno: packetTooLarge,
    limitBytes: mostBytes,
  })
}

const waitForOtherNodes = async (connection: Connection): Promise<void> => {
  try {
    await send(connection, { sql: causality })
  } catch (error) {
    if (DatabaseError.of(error).errno !== unknownVariable) throw error
  }
}

/**
 * Knex's mysql2 client, with prepared statements for values: the text protocol would copy and escape a whole payload into the
 * SQL. Only a list of rows, which a prepared statement cannot bind, is escaped into the SQL.
 */
class PreparedMysqlClient extends clientClass<PooledConnection>('mysql2') {
  declare readonly config: MysqlConfig

  override async acquireRawConnection(): Promise<PooledConnection> {
    const connection: PooledConnection = await this.config.primary.connect()
    try {
      await waitForOtherNodes(connection)
      const [rows] = (await send(connection, { sql: packetText })) as [readonly [{ bytes: number }]]
      connection.mostBytes = Number(rows[0].bytes)
      return connection
    } catch (error) {
      connection.destroy()
      throw DatabaseError.of(error)
    }
  }

  override validateConnection(connection: PooledConnection): boolean {
    return super.validateConnection(connection) && this.config.primary.isTrusted(connection)
  }

  override async destroyRawConnection(connection: PooledConnection): Promise<unknown> {
    if (this.config.primary.isTrusted(connection)) return super.destroyRawConnection(connection)
    // The server may be gone, so the connection is closed without a message to it.
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
    // The primary may have changed: the second connection goes to the new one.
    await check().catch(check)
  }

  override async _query(connection: PooledConnection, query: ClientQuery): Promise<ClientQuery> {
    try {
      assertFits(query, connection.mostBytes)
      query.response = await this.config.primary.answerOf(connection, send(connection, query))
      return query
    } catch (thrown) {
      const error = DatabaseError.of(thrown)
      if (ofNoPrimary.has(error.errno)) this.config.primary.doubt(connection)
      // A late response must not reach the next statement.
      if (error.code === 'PROTOCOL_SEQUENCE_TIMEOUT') connection.destroy()
      // A connection keeps the rights that its user had at its start; a new one has those that were granted since.
      if (error.denied !== undefined) connection.__knex__disposed = error
      // A transaction that may still be open must not reach the next user of the connection.
      if (/^(COMMIT|ROLLBACK)\b/.test(query.sql)) connection.__knex__disposed = error
      // The server rolls back the transaction of a lost connection, so this error must not hide the error of the work.
      if (error.fatal && query.sql.startsWith('ROLLBACK')) return { ...query, response: [] }
      throw error
    }
  }
}

const retryReasons: ReadonlyMap<number | undefined, RetryReason> = new Map([
  [1213, 'deadlock'], // also a certification failure of Galera
  [1020, 'deadlock'], // MariaDB's snapshot isolation
  [1205, 'lock_wait'],
  [1047, 'certification'], // the Galera node is not ready
  [1290, 'read_only'], // the next connection goes to the new primary
  [1836, 'read_only'],
])

/** Error codes, of the driver or of this adapter, of a server that cannot be used now. */
const unavailableCodes: ReadonlySet<string | undefined> = new Set([
  'PROTOCOL_CONNECTION_LOST',
  'PROTOCOL_SEQUENCE_TIMEOUT', // no answer in time
  'DATABASE_READ_ONLY',
  'DATABASE_NOT_IN_CLUSTER',
])

/**
 * Errors of a server that stops, starts or is full, or that ended a query. They are numbers: the driver's names are MySQL's, and
 * some errors of MariaDB have none.
 */
const unavailableNumbers: ReadonlySet<number | undefined> = new Set([
  1021, // the disk is full
  1040, // too many connections
  1053, // shutting down
  1077, // the same
  1142, // the user lacks a right, until an administrator grants it
  1143, // the same for a column
  1114, // a table, its file or its disk has no more room
  1203, // too many connections of this user
  1226, // the user has used up a limit of the server
  1317, // an operator ended the statement, or the server did before it went down
  1927, // an operator ended the connection (MariaDB)
  // The node left its group during a commit: the outcome is unknown until the client asks again.
  1180,
  3100,
  3101,
])

/** Handshake errors that remain until the configuration is corrected. */
const misconfigured: ReadonlySet<string | undefined> = new Set([
  'ER_ACCESS_DENIED_ERROR',
  'ER_DBACCESS_DENIED_ERROR',
  'ER_BAD_DB_ERROR',
])

const isUnavailable = ({ code, errno, fatal, message }: DatabaseError): boolean =>
  unavailableCodes.has(code) ||
  unavailableNumbers.has(errno) ||
  (fatal && !misconfigured.has(code)) ||
  /connection is in closed state/.test(message)

/** That of the session: it compares texts exactly, by code points, including spaces at the end. */
const exactCollation = async (knex: Knex): Promise<string> => {
  const [rows] = (await knex.raw('SELECT @@collation_connection AS name')) as [readonly [{ name: string }]]
  return rows[0].name
}

const listed = (kind: string, keys: Readonly<Record<string, string>> = {}): readonly string[] =>
  Object.entries(keys).map(([name, columns]) => `${kind} ${name} (${columns})`)

/** One statement: MySQL commits at each change of a table, and can undo only a single statement. */
const createTable = async (knex: Knex, { name, columns, primary, unique, indexes }: Table): Promise<void> => {
  const parts = [
    columns,
    `PRIMARY KEY (${primary})`,
    ...listed('UNIQUE KEY', unique),
    ...listed('KEY', indexes),
  ]
  const end = `ENGINE = InnoDB CHARACTER SET utf8mb4 COLLATE ${await exactCollation(knex)}`
  await knex.raw(`CREATE TABLE IF NOT EXISTS ${name} (${parts.join(', ')}) ${end}`)
}

/** Without the index the server depends on statistics, and may read a long index to find the few rows of a short one. */
const forceIndex = (table: string, index: string): string => `${table} FORCE INDEX (${index})`

/** Longer than any identifier, so that none is truncated. */
const textLength = 256

const settings = (url: string, options: ConnectOptions): MysqlConfig | undefined => {
  const hosts = mysqlSettings(url, options.maxPreparedStatements ?? 256)
  if (hosts === undefined) return undefined
  return {
    connection: hosts[0] as Knex.StaticConnectionConfig,
    primary: new Primary(hosts, options.onlyReads ?? false),
    pool: { min: 0, max: options.maxConnections ?? 16 },
    acquireConnectionTimeout: options.acquireTimeoutMilliseconds ?? 5000,
  }
}

/** MySQL 8, MariaDB and Galera, through mysql2. */
export const mysql: SqlDialect = {
  client: PreparedMysqlClient,
  urls: 'mysql://<user>:<password>@<host>:<port>[,<host>:<port>…]/<database> (percent-encoded)',
  settings,
  assertTakesWrites: (knex) => (knex.client as PreparedMysqlClient).assertTakesWrites(),
  mostStatementBytes: async (knex) => {
    const [rows] = (await knex.raw(packetText)) as readonly [readonly [{ bytes: number }]]
    return Number(rows[0].bytes)
  },
  errors: {
    isDuplicate: ({ errno }) => errno === 1062,
    retryReasonOf: ({ errno }) => retryReasons.get(errno),
    isTooLarge: ({ errno }) => errno === packetTooLarge,
    isUnavailable,
  },
  createTable,
  // MySQL commits at each change of a table.
  migratesInOneTransaction: false,
  parallelBatches: 3,
  inOrderOf: forceIndex,
  time: 'SELECT UNIX_TIMESTAMP(NOW(3)) * 1000 AS now',
  bytesOf: (column) => `LENGTH(${column})`,
  foundBy: forceIndex,
  orUpdate: (_, assignments) => {
    const list = assignments((column) => `VALUES(${column})`)
    return `ON DUPLICATE KEY UPDATE ${list.map(([column, value]) => `${column} = ${value}`).join(', ')}`
  },
  limitedPart: (select) => `(${select})`,
  upserts: {
    reported: (expression) => `LAST_INSERT_ID(${expression})`,
    reportedValue: (answer) => (answer as readonly [ResultSetHeader])[0].insertId,
  },
  forUpdate: 'FOR UPDATE',
  // The driver escapes the values: otherwise each connection would prepare a statement for each number of rows.
  insert: (table, columns, rows) => ({
    sql: `INSERT INTO ${table} (${columns.join(', ')}) VALUES ?`,
    bindings: [rows as unknown as Knex.RawBinding],
  }),
  // Checking and copying characters costs MySQL more than storing the bytes.
  storedText: (text) => Buffer.from(text),
  maxInsertedRows: 1000,
  textsJoin:
    `JSON_TABLE(?, '$[*]' COLUMNS (value VARCHAR(${textLength}) CHARACTER SET utf8mb4 PATH '$' ERROR ON ERROR)) ` +
    'AS sent STRAIGHT_JOIN',
  snapshot: {
    begin: [
      'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ',
      'START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY',
    ],
    end: 'COMMIT',
  },
  tablesText:
    'SELECT table_name AS table_name, NULL AS key_name, column_name AS column_name, column_type AS type, ' +
    "is_nullable = 'NO' AS flag, ordinal_position AS place FROM information_schema.columns WHERE table_schema = DATABASE() " +
    'UNION ALL SELECT table_name, index_name, column_name, NULL, 1 - non_unique, seq_in_index ' +
    'FROM information_schema.statistics WHERE table_schema = DATABASE() ORDER BY table_name, key_name, place',
}
