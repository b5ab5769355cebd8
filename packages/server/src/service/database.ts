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
  verify,
  type VerifyScope,
} from '@account-import/adapter-sql'
import type { KeyRing, UseCases } from '@account-import/core'
import type { ServerConfig } from '../config/read-config.js'
import type { Database } from '../container/sql-module.js'
import { typed } from '../program-name.js'
import { databaseError, databaseErrorCode, StartError } from '../start-error.js'
import { ensureDataFolder, requireData } from './data-folder.js'

/** Works on a connection of its own to the configured database. */
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

const keysMissing = (ids: readonly string[]): StartError =>
  new StartError(
    'encryption_key_missing',
    `The database holds data that is encrypted with ${ids.length === 1 ? 'the key' : 'the keys'} ${ids.join(', ')}, ` +
      'and ENCRYPTION_KEYS does not have it. Add what is missing there; without it nobody can read that data.',
  )

/** Refuses where what the database holds could not be read. Reads alone. Rejects with `StartError`. */
const requireEncryptionKeys = async (database: Database, keyRing: KeyRing | undefined): Promise<void> => {
  const missing = await waitingForOthers(() => missingEncryptionKeys(database, keyRing))
  if (missing.length > 0) throw keysMissing(missing)
}

/** A database server that takes no writes now will do for reading. */
const reading = <A>(
  config: ServerConfig,
  database: Database,
  work: (reader: Database) => Promise<A>,
): Promise<A> =>
  config.database.kind === 'embedded' ? work(database) : withDatabase(config, { onlyReads: true }, work)

/**
 * The same, before new data is encrypted: from then on the key is missed by whoever does not have it. A key that the database does
 * not know yet is made known, for which a server has to take writes within a minute.
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

/** Works on the configured database once it has the tables of this version; the embedded default is migrated first. */
const onPrepared = async <A>(
  config: ServerConfig,
  options: ConnectOptions,
  work: (database: Database, keyRing: KeyRing | undefined) => Promise<A>,
): Promise<A> => {
  await requireData(config)
  return withDatabase(config, options, async (database) => {
    await prepareDatabase(config, database, config.database.kind === 'embedded')
    return work(database, config.encryptionKeys && secretKeyRing(config.encryptionKeys))
  })
}

export { type Break, type Counted, type KeyUse } from '@account-import/adapter-sql'

/** Finds breaks, one after the other; rejects with the error of the driver where the database fails on the way. */
export type Find = (onVerified: OnVerified) => AsyncIterable<Break>

/**
 * Compares what the configured database holds while `work` asks for the breaks. A database that lacks migrations is refused.
 * Reads alone: a server that takes no writes will do. Rejects with `StartError` before the first break.
 */
export const verifyDatabase = <A>(
  config: ServerConfig,
  scope: VerifyScope,
  work: (find: Find) => Promise<A>,
): Promise<A> =>
  onPrepared(config, { onlyReads: true }, async (database, keyRing) => {
    await requireEncryptionKeys(database, keyRing)
    return work((onVerified) => verify(database, scope, onVerified, keyRing))
  })

const told = (cause: unknown): never => {
  throw cause instanceof StartError ? cause : databaseError(cause)
}

/** How much hangs on which key, and the key that is used for new data; absent where there is none. */
export type EncryptionStatus = Readonly<{ currentKeyId?: string; uses: readonly KeyUse[] }>

const keyUse = async (database: Database, keyRing: KeyRing | undefined): Promise<EncryptionStatus> => ({
  ...(keyRing !== undefined && { currentKeyId: keyRing.currentKeyId }),
  uses: await encryptionKeyUse(database),
})

/** Needs no key: it says which ones are needed. Rejects with `StartError`, as the next one does. */
export const encryptionStatus = (config: ServerConfig): Promise<EncryptionStatus> =>
  onPrepared(config, {}, keyUse).catch(told)

/** Wraps all data keys with the first of the configured keys, of which there has to be one. */
export const rewrapped = (
  config: ServerConfig,
): Promise<Readonly<{ rewrapped: number; status: EncryptionStatus }>> =>
  onPrepared(config, {}, async (database, keyRing) => {
    if (keyRing === undefined) throw new Error('there is no key to wrap with')
    await prepareEncryption(config, database, keyRing)
    let count = 0
    await rewrapDataKeys(database, keyRing, (rows) => (count += rows))
    return { rewrapped: count, status: await keyUse(database, keyRing) }
  }).catch(told)
