import type { Knex } from 'knex'
import driver, { type Connection, type QueryError, type ResultSetHeader } from 'mysql2'
import { DatabaseError } from '../drivers/database-error.js'
import { clientClass, type ClientQuery } from '../drivers/knex-clients.js'
import { mysqlHost, type MysqlConnection } from '../drivers/mysql-host.js'
import { assertInUseTakesWrites, Primary } from '../drivers/primary.js'
import { inTime, notInTime } from '../drivers/time-limit.js'
import { type InTransaction, sendInTransaction, statementOf } from '../drivers/transactions.js'
import { mysqlSettings } from '../drivers/mysql-url.js'
import type { Table } from '../schema/tables.js'
import { mysqlErrors, ofNoPrimary, packetTooLarge } from './mysql-errors.js'
import type { ConnectOptions, SqlDialect } from './sql-dialect.js'

type PooledConnection = MysqlConnection &
  InTransaction & {
    __knex__disposed?: unknown
    /** The value of `max_allowed_packet`. */
    mostBytes?: number
  }

/** Knex's options for a MySQL server. The client of a transaction is a bare copy that shares only these options. */
type MysqlConfig = Knex.Config & Readonly<{ primary: Primary<MysqlConnection> }>

/**
 * A node of Galera begins reads, updates, deletes and inserts after it has applied all earlier commits of the other nodes:
 * otherwise a client might not find its change on the next node. Inserts may read too: a staging reads its supplier.
 */
const causality = 'SET SESSION wsrep_sync_wait = 7'

/** The driver would send a whole number as a double, which is 5.0 in JSON. */
const asParameter = (value: unknown): unknown =>
  typeof value === 'number' && Number.isSafeInteger(value) ? driver.TypedParameter.LONGLONG(value) : value

/** Sends a statement with its own time limit, because the driver's does not cover the preparation of a statement. */
const send = (connection: Connection, query: ClientQuery): Promise<unknown> => {
  const answer = new Promise((resolve, reject) => {
    const options = { ...query.options, sql: query.sql }
    const done = (error: QueryError | null, rows: unknown, fields: unknown): void => {
      if (error === null) resolve([rows, fields])
      else reject(error)
    }
    if (query.bindings === undefined || query.bindings.length === 0) connection.query(options, done)
    else if (query.bindings.some(Array.isArray))
      connection.query({ ...options, values: [...query.bindings] }, done)
    else connection.execute(options, query.bindings.map(asParameter) as string[], done)
  })
  return inTime(query.sql, answer)
}

const packetText = 'SELECT @@max_allowed_packet AS bytes'
/** Only servers that know Galera have the second. */
const variablesText = "SHOW VARIABLES WHERE Variable_name IN ('max_allowed_packet', 'wsrep_on')"
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

type Variable = Readonly<{ Variable_name: string; Value: string }>

/** Reads the limit of a statement's bytes, and lets reads on a node of Galera wait for the other nodes. */
const setUp = async (connection: PooledConnection): Promise<void> => {
  const [rows] = (await send(connection, { sql: variablesText })) as readonly [readonly Variable[]]
  const values = new Map(rows.map(({ Variable_name: name, Value: value }) => [name, value]))
  connection.mostBytes = Number(values.get('max_allowed_packet'))
  if (values.get('wsrep_on') === 'ON') await send(connection, { sql: causality })
}

/** Sends a statement; the connection is not used again where its state is unknown afterwards. */
const sendTo = async (
  primary: Primary<MysqlConnection>,
  connection: PooledConnection,
  query: ClientQuery,
): Promise<ClientQuery> => {
  try {
    assertFits(query, connection.mostBytes)
    query.response = await primary.answerOf(connection, send(connection, query))
    return query
  } catch (thrown) {
    const error = DatabaseError.of(thrown)
    if (ofNoPrimary.has(error.errno)) primary.doubt(connection)
    // A late response must not reach the next statement.
    if (error.code === notInTime) connection.destroy()
    // A connection keeps the rights that its user had at its start; a new one has those that were granted since.
    if (error.denied !== undefined) connection.__knex__disposed = error
    // A transaction that may still be open must not reach the next user of the connection.
    if (/^(COMMIT|ROLLBACK)\b/.test(query.sql)) connection.__knex__disposed = error
    // The server rolls back the transaction of a lost connection, so this error must not hide the error of the work.
    if (error.fatal && query.sql.startsWith('ROLLBACK')) return { ...query, response: [] }
    throw error
  }
}

/** Statements that commit, or that end the transaction by their name. Temporary tables belong to a session, and commit nothing. */
const endsTransaction = statementOf(
  '(?:create|drop)(?!\\s+(?:or\\s+replace\\s+)?temporary)|alter|rename|truncate|grant|revoke|lock|unlock|analyze|optimize|repair|flush|' +
    'begin|start|commit|rollback(?!.*\\bto\\b)',
)

/** A bit of the state that the server sends with each response without rows. */
const stateInTransaction = 1

/** The state that the server sent last with a response: of a statement without rows, or at the end of the rows of a CALL. */
const stateIn = (response: unknown): number | undefined => {
  const [result, fields] = response as readonly [unknown, unknown]
  const isOfCall = Array.isArray(fields) && fields.length > 0 && fields.at(-1) === undefined
  const header = isOfCall ? (result as readonly unknown[]).at(-1) : fields === undefined ? result : undefined
  return (header as ResultSetHeader | undefined)?.serverStatus
}

/** Statements that commit nothing. If the transaction has ended after one, the server has rolled it back. */
const keepsTransaction = statementOf('select|with|insert|replace|update|delete')

/** A node of a cluster may answer a change of rows well whose transaction it has rolled back for another node. */
const rolledBack = (): DatabaseError =>
  new DatabaseError({ code: 'ER_LOCK_DEADLOCK', errno: 1213, message: 'the transaction was rolled back' })

/** Only errors that end the transaction for certain, or never do, are known; after any other the server is asked. */
const isOpenAfter = async (
  connection: PooledConnection,
  outcome: ClientQuery | DatabaseError,
): Promise<boolean> => {
  if (!(outcome instanceof DatabaseError)) {
    const state = stateIn(outcome.response)
    if (state === undefined || (state & stateInTransaction) !== 0) return true
    if (keepsTransaction.test(outcome.sql)) throw rolledBack()
    return false
  }
  if (mysqlErrors.isDuplicate(outcome)) return true
  const reason = mysqlErrors.retryReasonOf(outcome)
  if (outcome.fatal || (reason !== undefined && reason !== 'lock_wait')) return false
  return send(connection, { sql: 'DO 0' }).then(
    (response) => ((stateIn(response) ?? 0) & stateInTransaction) !== 0,
    () => false,
  )
}

/**
 * Knex's mysql2 client, with prepared statements for values: the text protocol would copy and escape a whole payload into the
 * SQL. Only a list of rows, which a prepared statement cannot bind, is escaped into the SQL.
 */
class PreparedMysqlClient extends clientClass<PooledConnection>('mysql2') {
  declare readonly config: MysqlConfig

  override async acquireRawConnection(): Promise<PooledConnection> {
    const opening: Promise<PooledConnection> = this.config.primary.connect()
    try {
      const connection = await opening
      await setUp(connection)
      return connection
    } catch (cause) {
      void opening.then((connection) => connection.destroy()).catch(() => undefined)
      const { user } = this.config.connection as Readonly<{ user?: string }>
      throw Object.assign(DatabaseError.of(cause), { user })
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

  override _query(connection: PooledConnection, query: ClientQuery): Promise<ClientQuery> {
    const { primary } = this.config
    return sendInTransaction(connection, query, {
      ending: endsTransaction,
      send: (each) => sendTo(primary, connection, each),
      isOpenAfter: (outcome) => isOpenAfter(connection, outcome),
    })
  }
}

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

const settings = (url: string, options: ConnectOptions): MysqlConfig | undefined => {
  const hosts = mysqlSettings(url, options.maxPreparedStatements ?? 256)
  if (hosts === undefined) return undefined
  return {
    connection: hosts[0] as Knex.StaticConnectionConfig,
    primary: new Primary(
      hosts.map((host) => (given) => mysqlHost(host, given)),
      options.onlyReads ?? false,
    ),
    pool: { min: 0, max: options.maxConnections ?? 16 },
    acquireConnectionTimeout: options.acquireTimeoutMilliseconds ?? 5000,
  }
}

/** MySQL 8, MariaDB and Galera, through mysql2. */
export const mysql: SqlDialect = {
  client: PreparedMysqlClient,
  urls: 'mysql://<user>:<password>@<host>:<port>[,<host>:<port>…]/<database> (percent-encoded)',
  settings,
  assertTakesWrites: (knex) => {
    const client = knex.client as PreparedMysqlClient
    return assertInUseTakesWrites(client, client.config.primary)
  },
  mostStatementBytes: async (knex) => {
    const [rows] = (await knex.raw(packetText)) as readonly [readonly [{ bytes: number }]]
    return Number(rows[0].bytes)
  },
  errors: mysqlErrors,
  answers: {
    rows: (answer) => (answer as readonly [readonly unknown[]])[0],
    changed: (answer) => (answer as readonly [ResultSetHeader])[0].affectedRows,
  },
  // The tables are written in the types of MySQL.
  columns: (columns) => columns,
  createTable,
  // MySQL commits at each change of a table.
  migratesInOneTransaction: false,
  parallelBatches: 3,
  inOrderOf: forceIndex,
  time: 'SELECT UNIX_TIMESTAMP(NOW(3)) * 1000 AS now',
  bytesOf: (column) => `LENGTH(${column})`,
  textBefore: (column, mark) => `SUBSTRING_INDEX(${column}, '${mark}', 1)`,
  foundBy: forceIndex,
  orUpdate: (_, assignments) => {
    const list = assignments((column) => `VALUES(${column})`)
    return `ON DUPLICATE KEY UPDATE ${list.map(([column, value]) => `${column} = ${value}`).join(', ')}`
  },
  limitedPart: (select) => `(${select})`,
  upserts: {
    reported: (expression) => `LAST_INSERT_ID(${expression})`,
    reportIn: (answer) => {
      const [{ insertId, affectedRows }] = answer as readonly [ResultSetHeader]
      return { value: insertId, counted: affectedRows }
    },
  },
  forUpdate: 'FOR UPDATE',
  forUpdateOfFree: 'FOR UPDATE SKIP LOCKED',
  // The driver escapes the values: otherwise each connection would prepare a statement for each number of rows.
  insert: (table, columns, rows) => ({
    sql: `INSERT INTO ${table} (${columns.join(', ')}) VALUES ?`,
    bindings: [rows as unknown as Knex.RawBinding],
  }),
  // Checking and copying characters costs MySQL more than storing the bytes.
  storedText: (text) => Buffer.from(text),
  maxInsertedRows: 1000,
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
    "UNION ALL SELECT table_name, index_name, column_name, NULL, CASE WHEN engine = 'SPIDER' THEN NULL ELSE 1 - non_unique END, seq_in_index " +
    'FROM information_schema.statistics JOIN information_schema.tables USING (table_schema, table_name) ' +
    'WHERE table_schema = DATABASE() ORDER BY table_name, key_name, place',
}
