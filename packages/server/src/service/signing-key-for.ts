import type { SigningKey } from '@account-import/adapter-access-tokens'
import { auditKeys as keysIn } from '../config/codecs/keys.js'
import type { ServerConfig } from '../config/server-config.js'
import { StartError } from '../start-error.js'
import { storedSecret, storedSigningKey } from '../tokens/stored-secret.js'

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

/** The configured signing key; on the embedded default, without one, the key that the data folder keeps. */
export const signingKeyFor = async ({ signingKey, database, dataDir }: ServerConfig): Promise<SigningKey> => {
  if (signingKey !== undefined) return signingKey
  if (database.kind === 'server')
    throw new StartError('configuration_not_valid', 'TOKEN_SIGNING_KEY is required with a database server.')
  try {
    return await storedSigningKey(dataDir)
  } catch (cause) {
    throw new StartError(
      'signing_key_not_usable',
      `The token signing key in ${dataDir} cannot be read or made. Check the folder, or set TOKEN_SIGNING_KEY.`,
      cause,
    )
  }
}
