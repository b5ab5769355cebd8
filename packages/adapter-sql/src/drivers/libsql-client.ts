import { closeSync, openSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setImmediate } from 'node:timers/promises'
import { Recent } from '@account-import/core/adapter-kit'
import { databaseError } from './database-error.js'
import { clientClass, type ClientQuery } from './knex-clients.js'

interface LibsqlConnection {
  readonly inTransaction: boolean
  /** Knex closes a connection that has this, and opens another in its place. */
  __knex__disposed?: unknown
  exec(sql: string): unknown
  close(): void
  prepare(sql: string): unknown
}

const require = createRequire(import.meta.url)

/**
 * The driver waits for another process's lock by blocking the whole process, so it waits only for the shortest
 * ones; the rest is waited for between tries.
 */
const pragmas = [
  'journal_mode = WAL',
  'synchronous = FULL',
  'busy_timeout = 20',
  'foreign_keys = ON',
  // Removed data is overwritten, and does not stay in free pages.
  'secure_delete = ON',
]

/** When the driver cannot open the file it says so in its message alone, with the path, and its code is empty. */
const openingFailure = (error: unknown): unknown =>
  error instanceof Error && error.message.startsWith('ConnectionFailed')
    ? Object.assign(new Error('the file cannot be opened'), { code: 'SQLITE_CANTOPEN' })
    : error

/**
 * A new file is for its owner alone, whatever the process lets others read: it holds personal data. SQLite gives the files
 * beside it the same mode. One that is there is never opened here: closing it would end the locks that connections of this
 * process have on it, and another process, which then takes itself for the last one, would remove the log that they write to.
 */
const makePrivate = (connection: unknown): void => {
  const { filename } = connection as Readonly<{ filename: string }>
  if (filename === ':memory:') return
  try {
    closeSync(openSync(filename, 'wx', 0o600))
  } catch {
    // It is there, or the driver cannot open it either, and its failure is told.
  }
}

/** One that cannot be set up, as another process has the file for itself, is closed at once and not whenever it is collected. */
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
 * Lets the event loop turn now and then. A driver that works synchronously resolves without ever leaving the
 * microtask queue, so that a long run of statements would starve everything else in the process.
 */
const letEventLoopTurn = async (): Promise<void> => {
  if (performance.now() - turnedAt < longestStretchMilliseconds) return
  await setImmediate()
  turnedAt = performance.now()
}

/** Knex's better-sqlite3 client on libsql, which comes without a compiler. */
export class LibsqlClient extends clientClass<LibsqlConnection>('better-sqlite3') {
  _driver(): unknown {
    return require('libsql')
  }

  override async acquireRawConnection(): Promise<LibsqlConnection> {
    try {
      makePrivate(this.config.connection)
      const connection = await super.acquireRawConnection()
      setUp(connection)
      // libsql frees statements only when the event loop turns: preparing the same one anew for each call would let memory grow.
      const prepare = connection.prepare.bind(connection)
      const prepared = new Recent<unknown>(200)
      connection.prepare = (sql) => {
        const statement = prepared.get(sql) ?? prepare(sql)
        prepared.set(sql, statement)
        return statement
      }
      return connection
    } catch (error) {
      throw databaseError(openingFailure(error))
    }
  }

  override async _query(connection: LibsqlConnection, query: ClientQuery): Promise<ClientQuery> {
    await letEventLoopTurn()
    try {
      if (isBegin(query)) return begin(connection, query)
      return isWrite(query) && !connection.inTransaction
        ? await writeAlone(connection, () => super._query(connection, query))
        : await super._query(connection, query)
    } catch (error) {
      const failure = databaseError(error)
      if (failure.code?.startsWith('SQLITE_BUSY') === true && !connection.inTransaction)
        connection.__knex__disposed = failure
      throw failure
    }
  }
}

const isBegin = ({ sql }: ClientQuery): boolean => /^BEGIN\b/i.test(sql)

const isWrite = ({ sql }: ClientQuery): boolean =>
  /^\s*(INSERT|UPDATE|DELETE|REPLACE|CREATE|ALTER|DROP)\b/i.test(sql)

/**
 * It takes the write lock. A prepared statement that meets another's lock would not be reset by the driver before it is
 * used again: until then its connection would read the database as it was at that moment, and could not write.
 */
const lockForWriting = 'BEGIN IMMEDIATE'

/**
 * Takes the write lock at once: a transaction that reads first and writes later could not wait for it. One that a
 * failed COMMIT left open is ended first.
 */
const begin = (connection: LibsqlConnection, query: ClientQuery): ClientQuery => {
  if (connection.inTransaction) connection.exec('ROLLBACK')
  connection.exec(lockForWriting)
  query.response = []
  return query
}

/** A statement that writes on its own has a transaction of its own, which begins with the lock. */
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
