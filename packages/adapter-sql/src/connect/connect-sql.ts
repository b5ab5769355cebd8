import createKnex, { type Knex } from 'knex'
import { LibsqlDialect } from './libsql-dialect.js'
import { isMysqlUrl } from './is-mysql-url.js'
import { mysqlSettings } from './mysql-settings.js'
import { PreparedMysqlDialect } from './prepared-mysql-dialect.js'

export type ConnectOptions = Readonly<{
  /** Connections to MySQL at most; 16 when absent. SQLite has one. */
  maxConnections?: number
  /** How long a call waits for a free connection before it fails as unavailable; 5000, on SQLite 30000. */
  acquireTimeoutMilliseconds?: number
  /** Prepared statements kept for each connection; 256 when absent. */
  maxPreparedStatements?: number
}>

const ignore = (): void => undefined

/** Knex prints what it also throws, with addresses and stacks: what is thrown reaches the log of the service. */
const shared = {
  log: { warn: ignore, error: ignore, deprecate: ignore, debug: ignore },
  compileSqlOnError: false,
}

const connectMysql = (url: URL, options: ConnectOptions): Knex =>
  createKnex({
    ...shared,
    client: PreparedMysqlDialect as unknown as typeof Knex.Client,
    connection: mysqlSettings(url, options.maxPreparedStatements ?? 256) as Knex.StaticConnectionConfig,
    pool: { min: 0, max: options.maxConnections ?? 16 },
    acquireConnectionTimeout: options.acquireTimeoutMilliseconds ?? 5000,
  })

/** The pool keeps its one connection for ever: with it a database in memory would be gone. */
const connectSqlite = (filename: string, options: ConnectOptions): Knex =>
  createKnex({
    ...shared,
    client: LibsqlDialect as unknown as typeof Knex.Client,
    connection: { filename },
    useNullAsDefault: true,
    pool: { min: 1, max: 1 },
    acquireConnectionTimeout: options.acquireTimeoutMilliseconds ?? 30_000,
  })

/**
 * Opens `mysql://user:password@host:port/database` (MySQL 8, MariaDB, Galera; `?ssl=true`, `?socketPath=…`),
 * `sqlite:<file>` or `sqlite::memory:`; user, password and database percent-encoded. Connects at the first use and again whenever it has to; `destroy()` closes.
 * Throws a `TypeError` when the URL is none of these.
 */
export const connectSql = (url: string, options: ConnectOptions = {}): Knex => {
  if (url.startsWith('sqlite:') && url.length > 'sqlite:'.length)
    return connectSqlite(url.slice('sqlite:'.length), options)
  if (isMysqlUrl(url)) return connectMysql(new URL(url), options)
  throw new TypeError('The database URL is neither a mysql:// URL, percent-encoded, nor sqlite: with a file')
}
