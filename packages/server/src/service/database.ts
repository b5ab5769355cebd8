import { setTimeout as delay } from 'node:timers/promises'
import {
  type Break,
  type ConnectOptions,
  connectSql,
  encryptionKeyUse,
  type KeyUse,
  knowsEncryptionKey,
  migrate,
  migrationStatus,
  type MigrationStatus,
  missingEncryptionKeys,
  type OnVerified,
  registerEncryptionKey,
  rewrapDataKeys,
  secretKeyRing,
  UnreleasedBuildError,
  verify,
  type VerifyScope,
} from '@account-import/adapter-sql'
import type { KeyRing, UseCases } from '@account-import/core'
import { typed } from '@account-import/cli/kit'
import type { ServerConfig } from '../config/read-config.js'
import type { Database } from '../container/sql-module.js'
import { databaseError, databaseErrorCode, StartError } from '../start-error.js'
import { ensureDataFolder, requireData } from './data-folder.js'
import { auditKeysFor } from './keys.js'

/** Calls `work` with a connection of its own to the configured database. */
const withDatabase = async <A>(
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
 * Errors that pass: a cluster is choosing its primary, or another client of a Galera cluster is changing the table.
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
 * Repeats work on migrations while another process has their lock, or an error passes, at most for a minute. Rejects with
 * `StartError`.
 */
const waitingForOthers = async <A>(work: () => Promise<A>): Promise<A> => {
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

/** The migrations of the configured database; only reads. Rejects with `StartError`, as all functions here do. */
export const migrationsOf = async (config: ServerConfig): Promise<MigrationStatus> => {
  await requireData(config)
  return statusOf(config)
}

/** Refuses to migrate tables of a later version. */
const refuseLater = async (config: ServerConfig): Promise<void> => {
  const { unknown } = await statusOf(config)
  if (unknown.length > 0)
    throw new StartError(
      'migrations_of_later_version',
      `The database has migrations of a later version: ${unknown.join(', ')}. Nothing was changed.` +
        ' This version can serve on it; to migrate, use that version.',
    )
}

/** Runs pending migrations; answers the names of those that this call ran. */
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

/** Reads the status again: another server may have run the migrations while this one waited for the lock. */
const migratePending = async (database: Database): Promise<readonly string[]> =>
  (await migrationStatus(database)).pending.length > 0 ? migrate(database) : []

/**
 * Ensures that the database is reachable and has the tables of this version. Runs pending migrations if `mayMigrate`, else
 * refuses them for a database server, so that an upgrade of a shared database is a decision. Accepts a read-only server with the
 * tables: a service may start beside a secondary. Answers the names of the migrations that this call ran.
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
 * Adds an audit event with the names of applied migrations; after them, because audit events are in these tables. Rejects with
 * `StartError`.
 */
export const recordMigration = async (
  { audit }: Pick<UseCases, 'audit'>,
  applied: readonly string[],
): Promise<void> => {
  const recorded = await audit.recorded<never, readonly string[]>(
    ['migrate', ...applied].join(' '),
    async () => ({ _tag: 'Right', right: applied }),
  )
  if (recorded._tag === 'Left') throw databaseError(recorded.left.cause)
}

const keysMissing = (ids: readonly string[]): StartError =>
  new StartError(
    'encryption_key_missing',
    `The database contains data that is encrypted with ${ids.length === 1 ? 'the key' : 'the keys'} ${ids.join(', ')}, ` +
      'and ENCRYPTION_KEYS does not have it. Add what is missing there; without it that data cannot be decrypted.',
  )

/** Refuses a key ring that lacks a key of the stored data. Only reads. Rejects with `StartError`. */
const requireEncryptionKeys = async (database: Database, keyRing: KeyRing | undefined): Promise<void> => {
  const missing = await waitingForOthers(() => missingEncryptionKeys(database, keyRing))
  if (missing.length > 0) throw keysMissing(missing)
}

/** Calls `work` with a connection that also accepts a read-only database server. */
const reading = <A>(
  config: ServerConfig,
  database: Database,
  work: (reader: Database) => Promise<A>,
): Promise<A> =>
  config.database.kind === 'embedded' ? work(database) : withDatabase(config, { onlyReads: true }, work)

/**
 * Refuses a key ring that lacks a key of the stored data, and registers a new current key, so that servers without that key
 * refuse to start. Registering needs a server that accepts writes within a minute.
 */
export const prepareEncryption = async (
  config: ServerConfig,
  database: Database,
  keyRing: KeyRing | undefined,
): Promise<void> => {
  const isKnown = await reading(config, database, async (reader) => {
    await requireEncryptionKeys(reader, keyRing)
    return keyRing === undefined || waitingForOthers(() => knowsEncryptionKey(reader, keyRing))
  })
  if (!isKnown && keyRing !== undefined)
    await waitingForOthers(() => registerEncryptionKey(database, keyRing))
}

/** Whether a database was refused only because of its keys. */
const lacksKeys = (cause: unknown): boolean =>
  cause instanceof StartError && cause.cause instanceof UnreleasedBuildError && cause.cause.isOfKeys

/**
 * Calls `work` with a database that has the tables of this version, or with `mayLackKeys` their columns; migrates the embedded
 * default first.
 */
const onPrepared = async <A>(
  config: ServerConfig,
  options: ConnectOptions,
  work: (database: Database, keyRing: KeyRing | undefined) => Promise<A>,
  mayLackKeys = false,
): Promise<A> => {
  await requireData(config)
  return withDatabase(config, options, async (database) => {
    try {
      await prepareDatabase(config, database, config.database.kind === 'embedded')
    } catch (cause) {
      if (!(mayLackKeys && lacksKeys(cause))) throw cause
    }
    return work(database, config.encryptionKeys && secretKeyRing(config.encryptionKeys))
  })
}

export { type Break, type Counted, type KeyUse } from '@account-import/adapter-sql'

/** Yields breaks one by one; rejects with the error of the driver if the database fails. */
export type Find = (onVerified: OnVerified) => AsyncIterable<Break>

/**
 * Verifies the data of the configured database while `work` iterates over the breaks. Refuses a database that lacks migrations.
 * Only reads, so it accepts a read-only server. Rejects with `StartError` before the first break.
 */
export const verifyDatabase = <A>(
  config: ServerConfig,
  scope: VerifyScope,
  work: (find: Find) => Promise<A>,
): Promise<A> =>
  onPrepared(
    config,
    { onlyReads: true },
    async (database, keyRing) => {
      await requireEncryptionKeys(database, keyRing)
      const auditKeys = await auditKeysFor(config, true)
      return work((onVerified) => verify(database, { ...scope, onVerified, keyRing, auditKeys }))
    },
    // Missing keys are breaks that it reports.
    true,
  )

const rethrow = (cause: unknown): never => {
  throw databaseError(cause)
}

/** The amount of data for each key, and the key for new data; absent without keys. */
type EncryptionStatus = Readonly<{ currentKeyId?: string; uses: readonly KeyUse[] }>

const keyUse = async (database: Database, keyRing: KeyRing | undefined): Promise<EncryptionStatus> => ({
  ...(keyRing !== undefined && { currentKeyId: keyRing.currentKeyId }),
  uses: await encryptionKeyUse(database),
})

/** Needs no key, as it only counts by the ids of keys. Rejects with `StartError`, as `rewrapped` does. */
export const encryptionStatus = (config: ServerConfig): Promise<EncryptionStatus> =>
  onPrepared(config, {}, keyUse).catch(rethrow)

/** Wraps all data keys with the first configured key. Requires a configured key. */
export const rewrapped = (
  config: ServerConfig,
): Promise<Readonly<{ rewrapped: number; status: EncryptionStatus }>> =>
  onPrepared(config, {}, async (database, keyRing) => {
    if (keyRing === undefined) throw new Error('there is no key to wrap with')
    await prepareEncryption(config, database, keyRing)
    let count = 0
    await rewrapDataKeys(database, keyRing, (rows) => (count += rows))
    return { rewrapped: count, status: await keyUse(database, keyRing) }
  }).catch(rethrow)
