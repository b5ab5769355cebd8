import {
  connectSql,
  secretKeyRing,
  verify,
  type Break,
  type OnVerified,
  type VerifyScope,
} from '@account-import/adapter-sql'
import type { ServerConfig } from '../config/server-config.js'
import { requireEncryptionKeys } from './encryption.js'
import { requireData } from './data-folder.js'
import { prepareDatabase } from './prepare-database.js'

export type { Break, Counted, OnVerified, VerifyScope } from '@account-import/adapter-sql'

/**
 * Compares what the configured database holds, and gives each break as it is found. A database that lacks migrations is
 * refused; the embedded default is migrated first. Reads alone: a server that takes no writes will do. Rejects with `StartError` before the first break, and later with the
 * driver's error.
 */
export async function* verifyDatabase(
  config: ServerConfig,
  scope: VerifyScope,
  onVerified: OnVerified,
): AsyncGenerator<Break> {
  await requireData(config)
  const database = connectSql(config.database.url, { onlyReads: true })
  try {
    await prepareDatabase(config, database, config.database.kind === 'embedded')
    const keyRing = config.encryptionKeys && secretKeyRing(config.encryptionKeys)
    await requireEncryptionKeys(database, keyRing)
    yield* verify(database, scope, onVerified, keyRing)
  } finally {
    await database.destroy()
  }
}
