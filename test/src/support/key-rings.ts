import { parseEncryptionKeys, secretKeyRing } from '@account-import/adapter-sql'
import type { KeyRing } from '@account-import/core'
import { randomBytes } from 'node:crypto'

/** A new key, in the form of `ENCRYPTION_KEYS`. */
export const newKey = (): string => randomBytes(32).toString('base64')

/** The key ring of keys, the first one for new data keys. */
export const ringOf = (...keys: readonly string[]): KeyRing => {
  const parsed = parseEncryptionKeys(keys.join(','))
  if (parsed === undefined) throw new TypeError('these are no encryption keys')
  return secretKeyRing(parsed)
}
