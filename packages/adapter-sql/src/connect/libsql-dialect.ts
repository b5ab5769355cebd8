import { createRequire } from 'node:module'
import { databaseError } from './database-error.js'
import { letEventLoopTurn } from './event-loop-turns.js'
import { dialectClass, type DialectQuery } from './knex-dialects.js'
import { cached } from './statement-cache.js'

interface LibsqlConnection {
  readonly inTransaction: boolean
  exec(sql: string): unknown
  prepare(sql: string): unknown
}

const require = createRequire(import.meta.url)

/**
 * The driver waits for another process's lock by blocking the whole process, so it waits only for the shortest
 * ones; the rest is waited for between tries.
 */
const pragmas = ['journal_mode = WAL', 'synchronous = FULL', 'busy_timeout = 20', 'foreign_keys = ON']

/** When the driver cannot open the file it says so in its message alone, with the path, and its code is empty. */
const openingFailure = (error: unknown): unknown =>
  error instanceof Error && error.message.startsWith('ConnectionFailed')
    ? Object.assign(new Error('the file cannot be opened'), { code: 'SQLITE_CANTOPEN' })
    : error

/** Knex's better-sqlite3 dialect on libsql, which comes without a compiler. */
export class LibsqlDialect extends dialectClass<LibsqlConnection>('better-sqlite3') {
  _driver(): unknown {
    return require('libsql')
  }

  override async acquireRawConnection(): Promise<LibsqlConnection> {
    try {
      const connection = await super.acquireRawConnection()
      for (const pragma of pragmas) connection.exec(`PRAGMA ${pragma}`)
      connection.prepare = cached(connection.prepare.bind(connection), 200)
      return connection
    } catch (error) {
      throw databaseError(openingFailure(error))
    }
  }

  override async _query(connection: LibsqlConnection, query: DialectQuery): Promise<DialectQuery> {
    await letEventLoopTurn()
    try {
      if (query.sql === 'BEGIN;') begin(connection, query)
      return await super._query(connection, query)
    } catch (error) {
      throw databaseError(error)
    }
  }
}

/**
 * Takes the write lock at once: a transaction that reads first and writes later could not wait for it. One that a
 * failed COMMIT left open is ended first.
 */
const begin = (connection: LibsqlConnection, query: DialectQuery): void => {
  if (connection.inTransaction) connection.exec('ROLLBACK')
  query.sql = 'BEGIN IMMEDIATE;'
}
