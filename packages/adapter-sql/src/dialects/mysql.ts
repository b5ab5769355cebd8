import type { Knex } from 'knex'
import type { ResultSetHeader } from 'mysql2'
import type { DatabaseError } from '../drivers/database-error.js'
import { type MysqlConfig, PreparedMysqlClient } from '../drivers/prepared-mysql-client.js'
import { mysqlSettings, mysqlUrls } from '../drivers/urls.js'
import { Primary } from '../drivers/primary.js'
import type { Table } from '../schema/tables.js'
import type { ConnectOptions, RetryReason, SqlDialect } from './sql-dialect.js'

const retryReasons: ReadonlyMap<number | undefined, RetryReason> = new Map([
  [1213, 'deadlock'], // also a certification failure of Galera
  [1020, 'deadlock'], // MariaDB's snapshot isolation
  [1205, 'lock_wait'],
  [1047, 'certification'], // the Galera node is not ready
  [1290, 'read_only'], // no primary any more: the next connection goes to the server that is
  [1836, 'read_only'],
])

/** Errors, of the driver or our own, of a server that cannot be used now. */
const unavailableCodes: ReadonlySet<string | undefined> = new Set([
  'PROTOCOL_CONNECTION_LOST',
  'PROTOCOL_SEQUENCE_TIMEOUT', // no answer in time
  'DATABASE_READ_ONLY',
  'DATABASE_NOT_IN_CLUSTER',
])

/**
 * Errors of a server that is going down, coming up or full, or that ended a query. By number: the driver's names are
 * those of MySQL, and some of MariaDB's errors have none.
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
  1226, // this user has used up what he may for now
  1317, // an operator ended the statement, or the server did before it went down
  1927, // an operator ended the connection (MariaDB)
  // The node left its group while it committed, and nobody knows what became of it: who asks again finds out.
  1180,
  3100,
  3101,
])

/** Handshakes that fail in the same way until somebody corrects the configuration. */
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

/**
 * The collation that keeps different texts different: it compares code points and does not ignore spaces at the end. MariaDB
 * and MySQL name it differently.
 */
const exactCollation = async (knex: Knex): Promise<string> => {
  const [rows] = (await knex.raw('SELECT VERSION() AS version')) as [{ version: string }[]]
  return /mariadb/i.test(rows[0]?.version ?? '') ? 'utf8mb4_nopad_bin' : 'utf8mb4_0900_bin'
}

const listed = (kind: string, keys: Readonly<Record<string, string>> = {}): readonly string[] =>
  Object.entries(keys).map(([name, columns]) => `${kind} ${name} (${columns})`)

/** One statement: MySQL ends a transaction with each change of a table, and undoes the statement alone. */
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

/** Without it the server guesses from statistics, and reads a long index to find the few rows of a short one. */
const forceIndex = (table: string, index: string): string => `${table} FORCE INDEX (${index})`

/** A length that no identifier has, so that none is cut to fit. */
const textLength = 256

const settings = (url: string, options: ConnectOptions): MysqlConfig | undefined => {
  const hosts = mysqlUrls(url)?.map((each) => mysqlSettings(each, options.maxPreparedStatements ?? 256))
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
  errors: {
    isDuplicate: ({ errno }) => errno === 1062,
    retryReasonOf: ({ errno }) => retryReasons.get(errno),
    isUnavailable,
  },
  createTable,
  // A change of a table ends the transaction.
  migratesInOneTransaction: false,
  parallelBatches: 3,
  inOrderOf: forceIndex,
  foundBy: forceIndex,
  orUpdate: (_, assignments) => {
    const list = assignments((column) => `VALUES(${column})`)
    return `ON DUPLICATE KEY UPDATE ${list.map(([column, value]) => `${column} = ${value}`).join(', ')}`
  },
  limitedPart: (select) => `(${select})`,
  upserts: {
    told: (expression) => `LAST_INSERT_ID(${expression})`,
    // A row counts 2 when it was changed, and 1 when it is new or stayed as it was: 0 means that there was none to insert.
    toldValues: (answer, rows) => {
      const [{ affectedRows, insertId }] = answer as readonly [ResultSetHeader]
      if (affectedRows === 0) return []
      if (insertId === 0) return Array<number>(rows).fill(1)
      return rows === 1 && affectedRows === 2 ? [insertId] : undefined
    },
  },
  updateFirst: ({ table, set, where, key }) =>
    `UPDATE ${table} SET ${set} WHERE ${where} ORDER BY ${key} LIMIT 1`,
  forUpdate: 'FOR UPDATE',
  // Written out by the driver: a statement for each number of rows would be prepared on each connection.
  insert: (table, columns, rows) => ({
    sql: `INSERT INTO ${table} (${columns.join(', ')}) VALUES ?`,
    bindings: [rows as unknown as Knex.RawBinding],
  }),
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
  uniqueKeysOfTables:
    'SELECT table_name AS table_name, GROUP_CONCAT(column_name ORDER BY seq_in_index) AS column_names ' +
    'FROM information_schema.statistics WHERE table_schema = DATABASE() AND non_unique = 0 ' +
    'GROUP BY table_name, index_name',
}
