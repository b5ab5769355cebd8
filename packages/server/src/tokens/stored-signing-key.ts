import { join } from 'node:path'
import { parseSigningKey, type SigningKey } from '@account-import/adapter-access-tokens'
import { storedSecret } from './stored-secret.js'

const fileName = 'token-signing-key'

/**
 * The signing key kept in the data folder, made there on the first run (`storedSecret`).
 *
 * Rejects when the folder cannot be used or the file holds no key.
 */
export const storedSigningKey = async (dataDir: string): Promise<SigningKey> => {
  const key = parseSigningKey(await storedSecret(dataDir, fileName))
  if (key === undefined)
    throw new Error(`${join(dataDir, fileName)} holds no signing key; remove it to have a new one made`)
  return key
}
