import type { Knex } from 'knex'
import type { QueryResult } from 'pg'
import { DatabaseError } from '../drivers/database-error.js'
import { clientClass, type ClientQuery } from '../drivers/knex-clients.js'
import { postgresqlError, postgresqlHost, type PostgresqlConnection } from '../drivers/postgresql-host.js'
import { beginning, loadDriver } from '../drivers/postgresql-session.js'
import { postgresqlSettings } from '../drivers/postgresql-url.js'
import { assertInUseTakesWrites, Primary } from '../drivers/primary.js'
import { inTime, notInTime } from '../drivers/time-limit.js'
import { type InTransaction, sendInTransaction, statementOf } from '../drivers/transactions.js'
import type { Table } from '../schema/tables.js'
import { isOfNoPrimary, postgresqlErrors } from './postgresql-errors.js'
import { indexStatements, insertOfRows, onConflict } from './shared-sql.js'
import type { ConnectOptions, SqlDialect } from './sql-dialect.js'

type PooledConnection = PostgresqlConnection &
  InTransaction & {
    __knex__disposed?: unknown
    /** The error after which the transaction went on from before its statement. */
    undone?: DatabaseError
  }

/** Knex's options for a PostgreSQL server. The client of a transaction is a bare copy that shares only these options. */
type PostgresqlConfig = Knex.Config & Readonly<{ primary: Primary<PostgresqlConnection> }>

/** The protocol has two bytes for the number of values. The driver would send it without the higher ones. */
const mostValues = 65_535

const assertFits = ({ bindings = [] }: ClientQuery): void => {
  if (bindings.length <= mostValues) return
  const message = `the statement has ${bindings.length} values, and PostgreSQL takes ${mostValues} at most`
  throw new DatabaseError({ code: '54023', message })
}

const ask = (connection: PooledConnection, { sql, bindings = [], options }: ClientQuery) =>
  connection.query({ ...options, text: sql, values: [...bindings] })

const writes = /^\s*(?:insert|update|delete|with)\b/i
const plainInsert = /^\s*insert\b(?!.*\bon conflict\b)/is

/**
 * The statements around a write, which are sent together with it. A write by itself is a transaction, because only that limits a
 * wait for a lock where no session has settings. An insert in a transaction has a savepoint: otherwise a key that is there already would
 * end the transaction.
 */
const around = (
  { openTransaction }: PooledConnection,
  sql: string,
): readonly [before: string, after: string] | undefined => {
  if (openTransaction === undefined) return writes.test(sql) ? [beginning('BEGIN;'), 'COMMIT'] : undefined
  return plainInsert.test(sql) ? ['SAVEPOINT written', 'RELEASE written'] : undefined
}

/** The driver resolves with a list where a text has several statements. */
type Answer = QueryResult | readonly QueryResult[]

/** PostgreSQL answers ROLLBACK, and no error, to the COMMIT of a transaction that has met one. */
const assertCommitted = (sql: string, answer: Answer): void => {
  if (sql.startsWith('COMMIT') && 'command' in answer && answer.command !== 'COMMIT')
    throw new DatabaseError({
      code: 'DATABASE_TRANSACTION_ENDED',
      message: 'the transaction was rolled back',
    })
}

const send = async (connection: PooledConnection, query: ClientQuery): Promise<Answer> => {
  const { sql } = query
  const pair = around(connection, sql)
  if (pair === undefined) {
    const answer = await ask(connection, /^BEGIN\b/.test(sql) ? { sql: beginning(sql) } : query)
    assertCommitted(sql, answer)
    return answer
  }
  const [before, after] = pair
  const [begun, answered, ended] = await Promise.allSettled([
    ask(connection, { sql: before }),
    ask(connection, query),
    ask(connection, { sql: after }),
  ])
  if (begun.status === 'rejected') throw begun.reason
  if (answered.status === 'rejected') {
    const error = postgresqlError(answered.reason)
    if (after.startsWith('RELEASE') && postgresqlErrors.isDuplicate(error)) {
      await ask(connection, { sql: 'ROLLBACK TO written; RELEASE written' })
      connection.undone = error
    }
    throw error
  }
  if (ended.status === 'rejected') throw ended.reason
  assertCommitted(after, ended.value)
  return answered.value
}

/** Sends a statement; the connection is not used again where its state is unknown afterwards. */
const sendTo = async (
  primary: Primary<PostgresqlConnection>,
  connection: PooledConnection,
  query: ClientQuery,
): Promise<ClientQuery> => {
  try {
    assertFits(query)
    query.response = await inTime(query.sql, primary.answerOf(connection, send(connection, query)))
    return query
  } catch (thrown) {
    const error = postgresqlError(thrown)
    if (isOfNoPrimary(error)) primary.doubt(connection)
    if (error.code === notInTime) connection.connection.stream.destroy()
    // Neither a connection that is being closed nor a transaction that may be open must reach the next user.
    if (error.code === notInTime || /^(COMMIT|ROLLBACK)\b/.test(query.sql))
      connection.__knex__disposed = error
    // The server rolls back the transaction of a lost connection, so this error must not hide the error of the work.
    if (query.sql.startsWith('ROLLBACK') && !primary.isTrusted(connection)) return { ...query, response: [] }
    throw error
  }
}

/** Statements that end the transaction by their name. Changes of tables are part of it. */
const endsTransaction = statementOf(
  'begin|start|commit|end|abort|rollback(?!.*\\bto\\b)|prepare\\s+transaction',
)

/** An error ends the transaction, except one after which it went on from before the statement. */
const isOpenAfter = (connection: PooledConnection, outcome: ClientQuery | DatabaseError): boolean =>
  outcome instanceof DatabaseError ? connection.undone === outcome : connection.getTransactionStatus() === 'T'

/**
 * Knex's client for PostgreSQL. It prepares no statement under a name, and sets nothing for a session: behind a pooler, each
 * transaction may be on another connection to the server.
 */
class PostgresqlClient extends clientClass<PooledConnection>('postgres') {
  declare readonly config: PostgresqlConfig

  _driver(): unknown {
    return loadDriver()
  }

  override acquireRawConnection(): Promise<PooledConnection> {
    return this.config.primary.connect()
  }

  override validateConnection(connection: PooledConnection): boolean {
    return super.validateConnection(connection) && this.config.primary.isTrusted(connection)
  }

  override async destroyRawConnection(connection: PooledConnection): Promise<unknown> {
    if (this.config.primary.isTrusted(connection)) return super.destroyRawConnection(connection)
    // The server may be gone, so the connection is closed without a message to it.
    return connection.connection.stream.destroy()
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

const settings = (url: string, options: ConnectOptions): PostgresqlConfig | undefined => {
  const hosts = postgresqlSettings(url)
  if (hosts === undefined) return undefined
  return {
    connection: hosts[0] as Knex.StaticConnectionConfig,
    primary: new Primary(
      hosts.map((host) => (given) => postgresqlHost(host, given)),
      options.onlyReads ?? false,
    ),
    pool: { min: 0, max: options.maxConnections ?? 16 },
    acquireConnectionTimeout: options.acquireTimeoutMilliseconds ?? 5000,
  }
}

/** The collation of the columns compares texts exactly, by code points, whatever that of the database is. */
const text = 'TEXT COLLATE "C"'

const types: Readonly<Record<string, string>> = {
  BIGINT: 'BIGINT',
  // The stores write and compare 0 and 1.
  BOOLEAN: 'SMALLINT',
  'DATETIME(3)': 'TIMESTAMP(3) WITHOUT TIME ZONE',
  INT: 'INTEGER',
  // Bytes would be read in hexadecimal, and a text that is bound to them as one with escapes.
  LONGBLOB: text,
  LONGTEXT: text,
}

/** Blanks at the end of a text that is too long for a VARCHAR would be cut in silence; a check refuses it. */
const columns = (list: string): string =>
  list.replaceAll(
    /(\w+)\s+([A-Z]+(?:\((\d+)\))?)(\s+NOT NULL)?(?=\s*(?:,|$))/g,
    (_, name: string, type: string, length = '', notNull = '') =>
      type.startsWith('VARCHAR')
        ? `${name} ${text}${notNull} CHECK ((LENGTH(${name}) <= ${length}))`
        : `${name} ${types[type]}${notNull}`,
  )

const createTable = async (knex: Knex, table: Table): Promise<void> => {
  await knex.raw(`CREATE TABLE ${table.name} (${table.columns}, PRIMARY KEY (${table.primary}))`)
  for (const statement of indexStatements(table)) await knex.raw(statement)
}

const ofSchema = 'c.relnamespace = CAST(CURRENT_SCHEMA() AS REGNAMESPACE)'

/** PostgreSQL 14 and later, through pg. */
export const postgresql: SqlDialect = {
  client: PostgresqlClient,
  urls: 'postgres://<user>:<password>@<host>:<port>[,<host>:<port>…]/<database> (percent-encoded)',
  settings,
  assertTakesWrites: (knex) => {
    const client = knex.client as PostgresqlClient
    return assertInUseTakesWrites(client, client.config.primary)
  },
  mostStatementBytes: async () => undefined,
  errors: postgresqlErrors,
  answers: {
    rows: (answer) => (answer as QueryResult<Record<string, unknown>>).rows,
    changed: (answer) => (answer as QueryResult).rowCount ?? 0,
  },
  columns,
  createTable,
  migratesInOneTransaction: true,
  // The number only has to differ from those of other programs.
  blockMigrations: 'SELECT PG_ADVISORY_XACT_LOCK(4706228951032576)',
  parallelBatches: 3,
  // There are no hints: statistics decide.
  inOrderOf: (table) => table,
  foundBy: (table) => table,
  time: 'SELECT CAST(EXTRACT(EPOCH FROM CLOCK_TIMESTAMP()) * 1000 AS BIGINT) AS now',
  bytesOf: (column) => `OCTET_LENGTH(${column})`,
  textBefore: (column, mark) => `SPLIT_PART(${column}, '${mark}', 1)`,
  orUpdate: onConflict,
  limitedPart: (select) => `(${select})`,
  upserts: {
    returning: (list) => `RETURNING ${list}`,
    reported: (expression) => expression,
    reportIn: () => undefined,
  },
  forUpdate: 'FOR UPDATE',
  forUpdateOfFree: 'FOR UPDATE SKIP LOCKED',
  insert: insertOfRows,
  storedText: (stored) => stored,
  maxInsertedRows: 1000,
  snapshot: { begin: ['BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'], end: 'COMMIT' },
  tablesText:
    'SELECT c.relname AS table_name, NULL AS key_name, a.attname AS column_name, ' +
    `FORMAT_TYPE(a.atttypid, a.atttypmod) || COALESCE(' COLLATE "' || l.collname || '"', '') || ` +
    "COALESCE(' ' || PG_GET_CONSTRAINTDEF(k.oid), '') AS type, CAST(a.attnotnull AS INTEGER) AS flag, a.attnum AS place " +
    'FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped ' +
    'LEFT JOIN pg_collation l ON l.oid = a.attcollation ' +
    "LEFT JOIN pg_constraint k ON k.conrelid = c.oid AND k.contype = 'c' AND k.conkey = ARRAY[a.attnum] " +
    "AND PG_GET_CONSTRAINTDEF(k.oid) LIKE 'CHECK ((length(%) <= %))' " +
    `WHERE c.relkind IN ('r', 'p') AND ${ofSchema} ` +
    "UNION ALL SELECT c.relname, CASE WHEN x.indisprimary THEN 'PRIMARY' ELSE i.relname END, a.attname, NULL, " +
    'CAST(x.indisunique AS INTEGER), p.place FROM pg_index x JOIN pg_class c ON c.oid = x.indrelid ' +
    'JOIN pg_class i ON i.oid = x.indexrelid ' +
    'CROSS JOIN LATERAL UNNEST(CAST(x.indkey AS INT2[])) WITH ORDINALITY AS p (attnum, place) ' +
    `JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = p.attnum WHERE ${ofSchema} ` +
    'ORDER BY table_name, key_name, place',
}
