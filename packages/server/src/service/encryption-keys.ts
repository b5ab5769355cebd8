import {
  connectSql,
  encryptionKeyUse,
  rewrapDataKeys,
  secretKeyRing,
  type KeyUse,
} from '@account-import/adapter-sql'
import type { KeyRing } from '@account-import/core'
import type { ServerConfig } from '../config/server-config.js'
import type { Database } from '../container/sql-module.js'
import { databaseError } from '../database-error.js'
import { StartError } from '../start-error.js'
import { requireData } from './data-folder.js'
import { prepareEncryption } from './encryption.js'
import { prepareDatabase } from './prepare-database.js'

export type { KeyUse } from '@account-import/adapter-sql'

/** How much hangs on which key, and the key that is used for new data; absent where there is none. */
export type EncryptionStatus = Readonly<{ currentKeyId?: string; uses: readonly KeyUse[] }>

const onDatabase = async <A>(
  config: ServerConfig,
  work: (database: Database, keyRing: KeyRing | undefined) => Promise<A>,
): Promise<A> => {
  await requireData(config)
  const database = connectSql(config.database.url)
  try {
    await prepareDatabase(config, database, config.database.kind === 'embedded')
    return await work(database, config.encryptionKeys && secretKeyRing(config.encryptionKeys))
  } catch (cause) {
    throw cause instanceof StartError ? cause : databaseError(cause)
  } finally {
    await database.destroy()
  }
}

const statusOf = async (database: Database, keyRing: KeyRing | undefined): Promise<EncryptionStatus> => ({
  ...(keyRing !== undefined && { currentKeyId: keyRing.currentKeyId }),
  uses: await encryptionKeyUse(database),
})

/** Needs no key: it says which ones are needed. Rejects with `StartError`, as the next one does. */
export const encryptionStatus = (config: ServerConfig): Promise<EncryptionStatus> =>
  onDatabase(config, statusOf)

/** How many data keys were wrapped anew, and what hangs on which key now. */
export type Rewrapped = Readonly<{ rewrapped: number; status: EncryptionStatus }>

/** Wraps all data keys with the first of the configured keys, of which there has to be one. */
export const rewrapped = (config: ServerConfig): Promise<Rewrapped> =>
  onDatabase(config, async (database, keyRing) => {
    if (keyRing === undefined) throw new Error('there is no key to wrap with')
    await prepareEncryption(config, database, keyRing)
    let count = 0
    await rewrapDataKeys(database, keyRing, (rows) => (count += rows))
    return { rewrapped: count, status: await statusOf(database, keyRing) }
  })
