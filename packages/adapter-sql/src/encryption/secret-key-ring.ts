import type { KeyRing } from '@account-import/core'
import { portFailure } from '@account-import/core'
import { TE } from '@account-import/core/adapter-kit'
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { decryptBytes, encryptBytes } from './aes-gcm.js'

/** A secret key that wraps data keys. */
export type EncryptionKey = Readonly<{
  /** The same wherever the key is read, and no help in finding the key. */
  id: string
  secret: KeyObject
}>

const keyBytes = 32
const idLength = 16

const keyFrom = (text: string): EncryptionKey | undefined => {
  const bytes = Buffer.from(text, 'base64')
  // Buffer skips characters that are no base64; encoding it again shows whether it did.
  if (bytes.length !== keyBytes || bytes.toString('base64') !== text) return undefined
  const secret = createSecretKey(bytes)
  const id = createHmac('sha256', secret).update('encryption key').digest('base64url').slice(0, idLength)
  return { id, secret }
}

/**
 * Reads one key or several, each base64 of 32 bytes, with commas, blanks or line ends between them. `undefined` where there is
 * none, one of them is no key, or one stands there twice.
 */
export const parseEncryptionKeys = (
  text: string,
): readonly [EncryptionKey, ...EncryptionKey[]] | undefined => {
  const keys = text
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map(keyFrom)
  const ids = new Set(keys.map((key) => key?.id))
  return keys.length > 0 && ids.size === keys.length && !ids.has(undefined)
    ? (keys as [EncryptionKey, ...EncryptionKey[]])
    : undefined
}

/** Wraps with the first of the keys by AES-256-GCM, and unwraps with all of them. Each may wrap 2³² data keys. */
export const secretKeyRing = (keys: readonly [EncryptionKey, ...EncryptionKey[]]): KeyRing => {
  const [current] = keys
  const secrets = new Map(keys.map(({ id, secret }) => [id, secret]))
  return {
    currentKeyId: current.id,
    wrap: (dataKey) => async () => {
      const wrapped = Buffer.concat(encryptBytes(current.secret, dataKey, current.id)).toString('base64')
      return { _tag: 'Right', right: { keyId: current.id, wrapped } }
    },
    unwrap: ({ keyId, wrapped }) => {
      const secret = secrets.get(keyId)
      const failed = (kind: 'unavailable' | 'unexpected', what: string) =>
        TE.left(portFailure(kind, 'keyRing', 'unwrap', new Error(what)))
      if (secret === undefined) return failed('unavailable', `the encryption key ${keyId} is not there`)
      try {
        return TE.right(decryptBytes(secret, Buffer.from(wrapped, 'base64'), keyId))
      } catch {
        return failed('unexpected', `a data key is not what the encryption key ${keyId} wrapped`)
      }
    },
  }
}
