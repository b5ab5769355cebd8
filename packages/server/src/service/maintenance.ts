import {
  type Break,
  encryptionKeyUse,
  type KeyUse,
  knowsEncryptionKey,
  missingEncryptionKeys,
  type OnVerified,
  registerEncryptionKey,
  rewrapDataKeys,
  secretKeyRing,
  verify,
  type VerifyScope,
} from '@account-import/adapter-sql'
import type { KeyRing } from '@account-import/core'
import type { ServerConfig } from '../config/read-config.js'
import type { Database } from '../container/sql-module.js'
import { databaseError, StartError } from '../start-error.js'
import { requireData } from './data-folder.js'
import { prepareDatabase, waitingForOthers, withDatabase } from './database.js'

export { type Break, type Counted, type VerifyScope } from '@account-import/adapter-sql'

/** Finds breaks, one after the other; rejects with the error of the driver where the database fails on the way. */
export type Find = (onVerified: OnVerified) => AsyncIterable<Break>

/**
 * Compares what the configured database holds while `work` asks for the breaks. A database that lacks migrations is
 * refused; the embedded default is migrated first. Reads alone: a server that takes no writes will do. Rejects with
 * `StartError` before the first break.
 */
export const verifyDatabase = async <A>(
  config: ServerConfig,
  scope: VerifyScope,
  work: (find: Find) => Promise<A>,
): Promise<A> => {
  await requireData(config)
  return withDatabase(config, { onlyReads: true }, async (database) => {
    await prepareDatabase(config, database, config.database.kind === 'embedded')
    const keyRing = config.encryptionKeys && secretKeyRing(config.encryptionKeys)
    await requireEncryptionKeys(database, keyRing)
    return work((onVerified) => verify(database, scope, onVerified, keyRing))
  })
}

export { type KeyUse } from '@account-import/adapter-sql'

const keysMissing = (ids: readonly string[]): StartError =>
  new StartError(
    'encryption_key_missing',
    `The database holds data that is encrypted with ${ids.length === 1 ? 'the key' : 'the keys'} ${ids.join(', ')}, ` +
      'and ENCRYPTION_KEYS does not have it. Add what is missing there; without it nobody can read that data.',
  )

/** Refuses where what the database holds could not be read. Reads alone. Rejects with `StartError`. */
export const requireEncryptionKeys = async (
  database: Database,
  keyRing: KeyRing | undefined,
): Promise<void> => {
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

/** How much hangs on which key, and the key that is used for new data; absent where there is none. */
export type EncryptionStatus = Readonly<{ currentKeyId?: string; uses: readonly KeyUse[] }>

const keyRingOf = ({ encryptionKeys }: ServerConfig): KeyRing | undefined =>
  encryptionKeys && secretKeyRing(encryptionKeys)

const onPrepared = async <A>(
  config: ServerConfig,
  work: (database: Database, keyRing: KeyRing | undefined) => Promise<A>,
): Promise<A> => {
  await requireData(config)
  return withDatabase(config, {}, async (database) => {
    try {
      await prepareDatabase(config, database, config.database.kind === 'embedded')
      return await work(database, keyRingOf(config))
    } catch (cause) {
      throw cause instanceof StartError ? cause : databaseError(cause)
    }
  })
}

const statusOf = async (database: Database, keyRing: KeyRing | undefined): Promise<EncryptionStatus> => ({
  ...(keyRing !== undefined && { currentKeyId: keyRing.currentKeyId }),
  uses: await encryptionKeyUse(database),
})

/** Needs no key: it says which ones are needed. Rejects with `StartError`, as the next one does. */
export const encryptionStatus = (config: ServerConfig): Promise<EncryptionStatus> =>
  onPrepared(config, statusOf)

/** How many data keys were wrapped anew, and what hangs on which key now. */
export type Rewrapped = Readonly<{ rewrapped: number; status: EncryptionStatus }>

/** Wraps all data keys with the first of the configured keys, of which there has to be one. */
export const rewrapped = (config: ServerConfig): Promise<Rewrapped> =>
  onPrepared(config, async (database, keyRing) => {
    if (keyRing === undefined) throw new Error('there is no key to wrap with')
    await prepareEncryption(config, database, keyRing)
    let count = 0
    await rewrapDataKeys(database, keyRing, (rows) => (count += rows))
    return { rewrapped: count, status: await statusOf(database, keyRing) }
  })
