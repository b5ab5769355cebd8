import { createHmac } from 'node:crypto'
import { decryptBytes, encryptBytes } from './aes-gcm.js'

/** What encrypted texts begin with; no JSON text does. */
const prefix = 'enc:'

/** How the bytes after the prefix are to be read. */
const version = 1

/** Which row and table an encrypted text belongs to: it is of no use anywhere else. */
export type OwnerRow = readonly [table: string, ...key: readonly string[]]

/** An encrypted text is not what was written in its row, or is not readable. Says where, and nothing of the text. */
export class DecryptionError extends Error {
  override readonly name = 'DecryptionError'
  /** For logs. */
  readonly code = 'NOT_WHAT_WAS_ENCRYPTED'
  constructor(table: string) {
    super(`a text in ${table} is not what was encrypted for its row`)
  }
}

/** `enc:` and the base64 of a version byte, an initialisation vector of 12 bytes, what AES-256-GCM gives, and its tag of 16. */
export const encryptText = (dataKey: Uint8Array, owner: OwnerRow, text: string): string =>
  prefix +
  Buffer.concat([Buffer.of(version), ...encryptBytes(dataKey, text, JSON.stringify(owner))]).toString(
    'base64',
  )

/** Whether the text was encrypted: JSON begins in another way. */
export const isEncrypted = (text: string): boolean => text.startsWith(prefix)

/** Throws a `DecryptionError`. */
export const decryptText = (dataKey: Uint8Array, owner: OwnerRow, encrypted: string): string => {
  const bytes = Buffer.from(encrypted.slice(prefix.length), 'base64')
  if (!isEncrypted(encrypted) || bytes[0] !== version) throw new DecryptionError(owner[0])
  try {
    return decryptBytes(dataKey, bytes.subarray(1), JSON.stringify(owner)).toString('utf8')
  } catch {
    throw new DecryptionError(owner[0])
  }
}

/** Stands for a value that has to be found: the same for the same value and data key, and of no use without that. */
export const fingerprint = (dataKey: Uint8Array, kind: string, value: string): string =>
  createHmac('sha256', dataKey)
    .update(JSON.stringify([kind, value]))
    .digest('hex')
