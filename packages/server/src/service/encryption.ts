import {
  connectSql,
  knowsEncryptionKey,
  missingEncryptionKeys,
  registerEncryptionKey,
} from '@account-import/adapter-sql'
import type { KeyRing } from '@account-import/core'
import type { ServerConfig } from '../config/server-config.js'
import type { Database } from '../container/sql-module.js'
import { StartError } from '../start-error.js'
import { waitingForOthers } from './waiting-for-others.js'

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
const reading = async <A>(
  { database: { kind, url } }: ServerConfig,
  database: Database,
  work: (reader: Database) => Promise<A>,
): Promise<A> => {
  if (kind === 'embedded') return work(database)
  const reader = connectSql(url, { onlyReads: true })
  try {
    return await work(reader)
  } finally {
    await reader.destroy()
  }
}

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
