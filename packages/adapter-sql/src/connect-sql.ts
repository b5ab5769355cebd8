import createKnex, { type Knex } from 'knex'
import { dialectOf, dialects } from './dialects/dialects.js'
import type { ConnectOptions } from './dialects/sql-dialect.js'
import { dataKeys } from './sql/crypto.js'
import { onConnection } from './sql/session.js'

/** The connections of a pool at this moment. */
export type PoolUse = Readonly<{
  /** Connections in use. */
  used: number
  /** Open connections that are idle. */
  free: number
  /** Calls that wait for a connection. */
  waiting: number
  /** Most connections of the pool. */
  most: number
}>

/** The members of Knex's pool that this file uses; its published type has none. A destroyed Knex has no pool. */
type Pool = Readonly<{
  max: number
  numUsed(): number
  numFree(): number
  numPendingAcquires(): number
  on(event: 'acquireRequest' | 'acquireSuccess' | 'acquireFail', listener: (call: number) => void): void
}>

const poolOf = (knex: Knex): Pool | undefined => (knex.client as Readonly<{ pool?: Pool }>).pool

/** How much of its pool a Knex uses; all 0 once it is destroyed. */
export const poolUse = (knex: Knex): PoolUse => {
  const pool = poolOf(knex)
  if (pool === undefined) return { used: 0, free: 0, waiting: 0, most: 0 }
  return { used: pool.numUsed(), free: pool.numFree(), waiting: pool.numPendingAcquires(), most: pool.max }
}

/** Calls `onWait` with the milliseconds that each call waited for a connection, also where it got none. */
const watchPool = (knex: Knex, onWait: (milliseconds: number) => void): void => {
  const pool = poolOf(knex)
  const since = new Map<number, number>()
  const ended = (call: number): void => {
    const begin = since.get(call)
    since.delete(call)
    if (begin !== undefined) onWait(performance.now() - begin)
  }
  pool?.on('acquireRequest', (call) => since.set(call, performance.now()))
  pool?.on('acquireSuccess', ended)
  pool?.on('acquireFail', ended)
}

const ignore = (): void => undefined

/** Knex prints the errors that it throws, with addresses and stacks. The log of the service receives them, so printing is off. */
const shared = {
  log: { warn: ignore, error: ignore, deprecate: ignore, debug: ignore },
  compileSqlOnError: false,
}

/**
 * Opens `mysql://user:password@host:port/database` (MySQL 8, MariaDB, Galera), `postgres://…` of the same form (PostgreSQL 14 or
 * later), `sqlite:<file>` or `sqlite::memory:`; user, password and database percent-encoded. If there are several hosts, `h1:3306,h2:3306`, the first that takes writes is used, and
 * another one when it no longer does. Hosts that are not this machine are reached by TLS with their certificates and names verified:
 * `?tls=off` switches that off, `?tls=on` requires it everywhere, `?tls-ca=<file>` names the authorities to trust;
 * `?socketPath=<path>` selects a socket of MySQL. Connects at the first use and again whenever necessary; `destroy()` closes. Throws a
 * `TypeError` when the URL is none of these, or has another parameter.
 */
export const connectSql = (url: string, options: ConnectOptions = {}): Knex => {
  for (const { client, settings } of dialects) {
    const config = settings(url, options)
    if (config === undefined) continue
    const knex = createKnex({ ...shared, ...config, client: client as unknown as typeof Knex.Client })
    if (options.onConnectionWait !== undefined) watchPool(knex, options.onConnectionWait)
    return knex
  }
  throw new TypeError(`The database URL is none of ${dialects.map(({ urls }) => urls).join(', ')}`)
}

/**
 * The bytes of a statement that the database takes at most, for MySQL and MariaDB `max_allowed_packet`; undefined where no setting
 * limits them.
 */
export const mostStatementBytes = (knex: Knex): Promise<number | undefined> =>
  dialectOf(knex).mostStatementBytes(knex)

/**
 * Rejects with a `DatabaseError` of the code `DATABASE_READ_ONLY` or `DATABASE_NOT_IN_CLUSTER` where the database in use takes no
 * writes now, and with the driver's error where it cannot be reached. If the URL has several servers, searches for one that takes
 * writes first.
 */
export const assertTakesWrites = (knex: Knex): Promise<void> => dialectOf(knex).assertTakesWrites(knex)

/** The clock of the database in use, in milliseconds since 1970. Rejects with the driver's error. */
export const databaseTime = async (knex: Knex): Promise<number> => {
  const dialect = dialectOf(knex)
  const [row] = await onConnection(knex, { dialect, dataKeys: dataKeys(undefined) }, (db) =>
    db.select<Readonly<{ now: number | string }>>(dialect.time),
  )
  return Number(row?.now)
}
