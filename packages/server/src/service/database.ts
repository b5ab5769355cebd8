import { setTimeout as delay } from 'node:timers/promises'
import {
  connectSql,
  type ConnectOptions,
  migrate,
  migrationStatus,
  type MigrationStatus,
} from '@account-import/adapter-sql'
import type { UseCases } from '@account-import/core'
import type { ServerConfig } from '../config/read-config.js'
import type { Database } from '../container/sql-module.js'
import { databaseError, databaseErrorCode, StartError } from '../start-error.js'
import { typed } from '../program-name.js'
import { ensureDataFolder, requireData } from './data-folder.js'

/** Works on a connection of its own to the configured database. */
export const withDatabase = async <A>(
  { database: { url } }: Pick<ServerConfig, 'database'>,
  options: ConnectOptions,
  work: (database: Database) => Promise<A>,
): Promise<A> => {
  const database = connectSql(url, options)
  try {
    return await work(database)
  } finally {
    await database.destroy()
  }
}

const patience = { attempts: 240, milliseconds: 250 }

/**
 * Errors of a process that was early: a cluster chooses its writer; or, on a node of Galera, while somebody changes the
 * table that it writes to.
 */
const raceCodes = new Set(['ER_LOCK_DEADLOCK', 'DATABASE_READ_ONLY', 'DATABASE_NOT_IN_CLUSTER'])

const isLocked = (cause: unknown): boolean => cause instanceof Error && cause.name === 'MigrationLocked'

const lostRace = (cause: unknown): boolean => {
  const code = databaseErrorCode(cause)
  return isLocked(cause) || raceCodes.has(code) || code.startsWith('SQLITE_BUSY')
}

const stillLocked = (cause: unknown): StartError =>
  new StartError(
    'migrations_locked',
    'Another process has been migrating this database for a minute. Wait until it has ended, and try again.',
    cause,
  )

/**
 * Works on migrations. When several processes do so at once, one goes first and the others
 * wait for it, at most a minute. Rejects with `StartError`.
 */
export const waitingForOthers = async <A>(work: () => Promise<A>): Promise<A> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (cause) {
      if (!lostRace(cause)) throw databaseError(cause)
      if (attempt >= patience.attempts) throw isLocked(cause) ? stillLocked(cause) : databaseError(cause)
      await delay(patience.milliseconds)
    }
  }
}

const statusOf = (config: ServerConfig): Promise<MigrationStatus> =>
  withDatabase(config, { onlyReads: true }, (database) => waitingForOthers(() => migrationStatus(database)))

/** The migrations of the configured database, by reading alone. Rejects with `StartError`, as all of these do. */
export const migrationsOf = async (config: ServerConfig): Promise<MigrationStatus> => {
  await requireData(config)
  return statusOf(config)
}

/** Only the version that made tables knows what they become next. */
const refuseLater = async (config: ServerConfig): Promise<void> => {
  const { unknown } = await statusOf(config)
  if (unknown.length > 0)
    throw new StartError(
      'migrations_of_later_version',
      `The database has migrations of a later version: ${unknown.join(', ')}. Nothing was changed.` +
        ' This version can serve on it; to migrate, use that version.',
    )
}

/** Runs what is pending; answers the names of what this call ran. */
export const migrateDatabase = async (config: ServerConfig): Promise<readonly string[]> => {
  await ensureDataFolder(config)
  await refuseLater(config)
  return withDatabase(config, {}, (database) => waitingForOthers(() => migrate(database)))
}

const migrationsPending = (pending: readonly string[]): StartError =>
  new StartError(
    'migrations_pending',
    `The database lacks ${pending.length} migration${pending.length === 1 ? '' : 's'}: ${pending.join(', ')}.` +
      ` Run: ${typed('migrate')} (or start with: ${typed('serve --migrate')})`,
  )

/** Another server may run what is pending while this one waits for its turn, or for a database that takes writes. */
const migratePending = async (database: Database): Promise<readonly string[]> =>
  (await migrationStatus(database)).pending.length > 0 ? migrate(database) : []

/**
 * Makes sure that the database can be reached and has the tables of this version: runs pending migrations where
 * that is allowed, and refuses where it is not, so that an upgrade of a shared database is a decision. A database server
 * that takes no writes now, but has the tables, will do: a service may start beside a secondary, and waits for it. Answers the
 * names of what this call ran.
 */
export const prepareDatabase = async (
  config: ServerConfig,
  database: Database,
  mayMigrate: boolean,
): Promise<readonly string[]> => {
  if (config.database.kind === 'server') {
    const { pending } = await migrationsOf(config)
    if (pending.length === 0) return []
    if (!mayMigrate) throw migrationsPending(pending)
  }
  return waitingForOthers(() => migratePending(database))
}

/**
 * Records that the tables were brought to this version, and by which migrations: afterwards, as the record is in these tables.
 * Rejects with `StartError`.
 */
export const recordMigration = async (
  { audit }: Pick<UseCases, 'audit'>,
  applied: readonly string[],
): Promise<void> => {
  const recorded = await audit.recorded<never, readonly string[]>(
    ['migrate', ...applied].join(' '),
    async () => ({ _tag: 'Right', right: applied }),
  )()
  if (recorded._tag === 'Left') throw databaseError(recorded.left.cause)
}
