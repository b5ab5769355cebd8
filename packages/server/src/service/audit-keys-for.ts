import { auditKeys as keysIn } from '../config/codecs/audit-keys.js'
import type { ServerConfig } from '../config/server-config.js'
import { StartError } from '../start-error.js'
import { storedSecret } from '../tokens/stored-secret.js'

const fileName = 'audit-key'

const notUsable = (dataDir: string, cause?: unknown): StartError =>
  new StartError(
    'audit_key_not_usable',
    `The key of the record in ${dataDir} cannot be read or made. Check the folder and its file ${fileName}, or set AUDIT_KEY.`,
    cause,
  )

/**
 * The secrets of the record: the configured ones, or on the embedded default those of a file in the data folder, of the same form.
 * A database server without `AUDIT_KEY` has none: then the hashes are made without a secret.
 */
export const auditKeysFor = async ({
  auditKeys,
  database,
  dataDir,
}: ServerConfig): Promise<readonly string[]> => {
  if (auditKeys.length > 0 || database.kind === 'server' || database.url === 'sqlite::memory:')
    return auditKeys
  const stored = await storedSecret(dataDir, fileName).catch((cause: unknown) => {
    throw notUsable(dataDir, cause)
  })
  const keys = keysIn.decode(stored)
  if (keys._tag === 'Left') throw notUsable(dataDir)
  return keys.right
}
