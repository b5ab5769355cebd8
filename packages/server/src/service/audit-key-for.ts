import type { ServerConfig } from '../config/server-config.js'
import { StartError } from '../start-error.js'
import { storedSecret } from '../tokens/stored-secret.js'

/**
 * The secret that the record is sealed with: the configured one, or on the embedded default the one that the data folder keeps.
 * A database server without `AUDIT_KEY` has none: then the hashes are made without a secret.
 */
export const auditKeyFor = async ({
  auditKey,
  database,
  dataDir,
}: ServerConfig): Promise<string | undefined> => {
  if (auditKey !== undefined || database.kind === 'server' || database.url === 'sqlite::memory:')
    return auditKey
  try {
    return (await storedSecret(dataDir, 'audit-key')).trim()
  } catch (cause) {
    throw new StartError(
      'audit_key_not_usable',
      `The key of the record in ${dataDir} cannot be read or made. Check the folder, or set AUDIT_KEY.`,
      cause,
    )
  }
}
