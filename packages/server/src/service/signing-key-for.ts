import type { ServerConfig } from '../config/server-config.js'
import type { SigningKey } from '@account-import/adapter-access-tokens'
import { storedSigningKey } from '../tokens/stored-signing-key.js'
import { StartError } from '../start-error.js'

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
