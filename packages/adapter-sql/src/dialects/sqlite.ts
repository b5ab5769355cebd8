import { closeSync, openSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setImmediate } from 'node:timers/promises'
import { Recent } from '@account-import/core/adapter-kit'
import type { Knex } from 'knex'
import { DatabaseError } from '../drivers/database-error.js'
import { clientClass, type ClientQuery } from '../drivers/knex-clients.js'
import { type InTransaction, sendInTransaction, statementOf } from '../drivers/transactions.js'
import { sqliteFile } from '../drivers/urls.js'
import type { Table } from '../schema/tables.js'
import { indexStatements, insertOfRows, onConflict } from './shared-sql.js'
import type { SqlDialect } from './sql-dialect.js'

interface LibsqlConnection extends InTransaction {
  readonly inTransaction: boolean
  /** Knex closes a connection that has this, and opens another in its place. */
  __knex__disposed?: unknown
  exec(sql: string): unknown
  close(): void
  prepare(sql: string): unknown
}

const require = createRequire(import.meta.url)

/**
 * The driver blocks the whole process while it waits for another process's lock, so it waits only 20 milliseconds; retries wait
 * for longer locks.
 */
const pragmas = [
  'journal_mode = WAL',
  'synchronous = FULL',
  'busy_timeout = 20',
  'foreign_keys = ON',
  // Removed data is overwritten, and does not stay in free pages.
  'secure_delete = ON',
]

/** The driver reports a file that it cannot open only by its message, which contains the path; the code is empty. */
const openingFailure = (error: unknown): unknown =>
  error instanceof Error && error.message.startsWith('ConnectionFailed')
    ? Object.assign(new Error('the file cannot be opened'), { code: 'SQLITE_CANTOPEN' })
    : error

/**
 * Creates the file for its owner alone, regardless of the umask, because it contains personal data. SQLite gives the files beside
 * it the same mode. An existing file is never opened here: closing it would release the locks that connections of this process
 * have on it, and another process, as the apparent last user, would remove the log that they write to.
 */
const makePrivate = (connection: unknown): void => {
  const { filename } = connection as Readonly<{ filename: string }>
  if (filename === ':memory:') return
  try {
    closeSync(openSync(filename, 'wx', 0o600))
  } catch {
    // The file exists, or the driver cannot open it either and reports the error.
  }
}

/**
 * Closes a connection at once if it cannot be set up, because another process has locked the file; otherwise it would stay open
 * until garbage collection.
 */
const setUp = (connection: LibsqlConnection): void => {
  try {
    for (const pragma of pragmas) connection.exec(`PRAGMA ${pragma}`)
  } catch (error) {
    connection.close()
    throw error
  }
}

const longestStretchMilliseconds = 8

let turnedAt = performance.now()

/**
 * Yields to the event loop after 8 milliseconds. The driver works synchronously and never leaves the microtask queue, so a long
 * run of statements would starve the rest of the process.
 */
const letEventLoopTurn = async (): Promise<void> => {
  if (performance.now() - turnedAt < longestStretchMilliseconds) return
  await setImmediate()
  turnedAt = performance.now()
}

/** Knex's better-sqlite3 client on libsql, which comes without a compiler. */
class LibsqlClient extends clientClass<LibsqlConnection>('better-sqlite3') {
  _driver(): unknown {
    return require('libsql')
  }

  override async acquireRawConnection(): Promise<LibsqlConnection> {
    try {
      makePrivate(this.config.connection)
      const connection = await super.acquireRawConnection()
      setUp(connection)
      // libsql frees statements only when the event loop turns: preparing the same text again for each call would let memory
      // grow.
      const prepare = connection.prepare.bind(connection)
      const prepared = new Recent<unknown>(200)
      connection.prepare = (sql) => {
        const statement = prepared.get(sql) ?? prepare(sql)
        prepared.set(sql, statement)
        return statement
      }
      return connection
    } catch (error) {
      throw DatabaseError.of(openingFailure(error))
    }
  }

  override async _query(connection: LibsqlConnection, query: ClientQuery): Promise<ClientQuery> {
    await letEventLoopTurn()
    const send = (each: ClientQuery): Promise<ClientQuery> => super._query(connection, each)
    try {
      return await sendInTransaction(connection, query, {
        ending: endsTransaction,
        send: async (each) => {
          if (isBegin(each)) return begin(connection, each)
          return isWrite(each) && !connection.inTransaction
            ? writeAlone(connection, () => send(each))
            : send(each)
        },
        isOpenAfter: () => connection.inTransaction,
      })
    } catch (error) {
      const failure = DatabaseError.of(error)
      if (failure.code?.startsWith('SQLITE_BUSY') === true && !connection.inTransaction)
        connection.__knex__disposed = failure
      throw failure
    }
  }
}

const endsTransaction = statementOf('begin|commit|end|rollback(?!.*\\bto\\b)')

const isBegin = ({ sql }: ClientQuery): boolean => /^BEGIN\b/i.test(sql)

const isWrite = ({ sql }: ClientQuery): boolean =>
  /^\s*(INSERT|UPDATE|DELETE|REPLACE|CREATE|ALTER|DROP)\b/i.test(sql)

/**
 * Takes the write lock by `exec`. The driver resets a prepared statement that met a lock only at its next use: until then its
 * connection would read the old snapshot, and could not write.
 */
const lockForWriting = 'BEGIN IMMEDIATE'

/**
 * Takes the write lock at once: a transaction that reads first and writes later could not wait for it. Rolls back a transaction
 * that a failed COMMIT left open.
 */
const begin = (connection: LibsqlConnection, query: ClientQuery): ClientQuery => {
  if (connection.inTransaction) connection.exec('ROLLBACK')
  connection.exec(lockForWriting)
  query.response = []
  return query
}

/** Runs a single write in a transaction of its own, which begins with the lock. */
const writeAlone = async <A>(connection: LibsqlConnection, write: () => Promise<A>): Promise<A> => {
  connection.exec(lockForWriting)
  try {
    const result = await write()
    connection.exec('COMMIT')
    return result
  } catch (error) {
    if (connection.inTransaction) connection.exec('ROLLBACK')
    throw error
  }
}

/** SQLite compares texts exactly by default. */
const createTable = async (knex: Knex, table: Table): Promise<void> => {
  await knex.raw(`CREATE TABLE ${table.name} (${table.columns}, PRIMARY KEY (${table.primary}))`)
  for (const statement of indexStatements(table)) await knex.raw(statement)
}

/** SQLite in a file or in memory, through libsql. */
export const sqlite: SqlDialect = {
  client: LibsqlClient,
  urls: 'sqlite:<file>',
  settings: (url, options) => {
    const named = sqliteFile(url)
    if (named === undefined) return undefined
    if ('fault' in named) throw new TypeError(`The database URL ${named.fault}`)
    return {
      connection: { filename: named.file },
      useNullAsDefault: true,
      // The one connection is never closed, because a database in memory would end with it.
      pool: { min: 1, max: 1 },
      acquireConnectionTimeout: options.acquireTimeoutMilliseconds ?? 30_000,
    }
  },
  // Only a write shows whether the file can be written.
  assertTakesWrites: async () => undefined,
  mostStatementBytes: async () => undefined,
  errors: {
    isDuplicate: ({ code }) => code === 'SQLITE_CONSTRAINT_PRIMARYKEY' || code === 'SQLITE_CONSTRAINT_UNIQUE',
    isNull: ({ code }) => code === 'SQLITE_CONSTRAINT_NOTNULL',
    retryReasonOf: ({ code }) => (/^SQLITE_(BUSY|LOCKED)/.test(code ?? '') ? 'busy' : undefined),
    isTooLarge: ({ code }) => code === 'SQLITE_TOOBIG',
    isUnavailable: ({ code = '' }) => /^SQLITE_(?:CANTOPEN|FULL|READONLY)/.test(code),
  },
  answers: {
    rows: (answer) => answer as readonly unknown[],
    changed: (answer) => (answer as Readonly<{ changes: number }>).changes,
  },
  // SQLite accepts the names of MySQL's types.
  columns: (columns) => columns,
  createTable,
  clearLog: async (db) => {
    const [row] = (await db.raw('PRAGMA wal_checkpoint(TRUNCATE)', [])) as readonly { busy: number }[]
    return row?.busy === 0
  },
  migratesInOneTransaction: true,
  parallelBatches: 1,
  // SQLite uses the index of the order by default.
  inOrderOf: (table) => table,
  time: "SELECT UNIXEPOCH('subsec') * 1000 AS now",
  bytesOf: (column) => `OCTET_LENGTH(${column})`,
  textBefore: (column, mark) => `SUBSTR(${column}, 1, INSTR(${column}, '${mark}') - 1)`,
  foundBy: (table, index) => `${table} INDEXED BY ${index}`,
  orUpdate: onConflict,
  limitedPart: (select) => `SELECT * FROM (${select}) AS part`,
  upserts: {
    returning: (columns) => `RETURNING ${columns}`,
    reported: (expression) => expression,
    reportIn: () => undefined,
  },
  // A transaction has the one write lock from its beginning.
  forUpdate: '',
  forUpdateOfFree: '',
  insert: insertOfRows,
  storedText: (text) => text,
  // Few enough for SQLite's limit of 32766 bindings. Longer lists are split into pieces of this size, so that few texts are
  // prepared.
  maxInsertedRows: 64,
  // BEGIN takes the write lock here. A savepoint alone begins a transaction without it.
  snapshot: { begin: ['SAVEPOINT snapshot'], end: 'RELEASE snapshot' },
  tablesText:
    'SELECT m.name AS table_name, NULL AS key_name, c.name AS column_name, c.type AS type, c."notnull" AS flag, c.cid AS place ' +
    "FROM sqlite_master AS m, pragma_table_info(m.name) AS c WHERE m.type = 'table' " +
    "UNION ALL SELECT m.name, CASE k.origin WHEN 'pk' THEN 'PRIMARY' ELSE k.name END, i.name, NULL, k.\"unique\", i.seqno " +
    "FROM sqlite_master AS m, pragma_index_list(m.name) AS k, pragma_index_info(k.name) AS i WHERE m.type = 'table' " +
    'ORDER BY table_name, key_name, place',
}
