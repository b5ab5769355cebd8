import {
  secretKeyRing,
  verify,
  type Break,
  type OnVerified,
  type VerifyScope,
} from '@account-import/adapter-sql'
import type { ServerConfig } from '../config/read-config.js'
import { requireData } from './data-folder.js'
import { prepareDatabase, withDatabase } from './database.js'
import { requireEncryptionKeys } from './encryption.js'

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
