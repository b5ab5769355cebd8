import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import {
  type KeyRing,
  type PortFailure,
  portFailure,
  type PortResult,
  type WrappedKey,
} from '@account-import/core'
import { E } from '@account-import/core/fp'

const algorithm = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

/**
 * Encrypts bytes or a text in UTF-8. Returns a new initialisation vector, the ciphertext, and the tag, which also covers `about`.
 */
const encryptBytes = (
  key: Uint8Array | KeyObject,
  content: Uint8Array | string,
  about: string,
): readonly Buffer[] => {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv(algorithm, key, iv)
  cipher.setAAD(Buffer.from(about))
  const encrypted = typeof content === 'string' ? cipher.update(content, 'utf8') : cipher.update(content)
  cipher.final()
  return [iv, encrypted, cipher.getAuthTag()]
}

/** Throws unless `encryptBytes` made the bytes with this key and the same `about`. */
const decryptBytes = (key: Uint8Array | KeyObject, encrypted: Buffer, about: string): Buffer => {
  const iv = encrypted.subarray(0, ivBytes)
  const decipher = createDecipheriv(algorithm, key, iv, { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(about))
  decipher.setAuthTag(encrypted.subarray(-tagBytes))
  const content = decipher.update(encrypted.subarray(ivBytes, -tagBytes))
  // Throws where the tag does not match; a stream cipher returns no further bytes here.
  decipher.final()
  return content
}

/** The prefix of encrypted texts; no JSON text has it. */
const prefix = 'enc:'

/** The format of the bytes after the prefix. */
const version = 1

/** The table and row that an encrypted text belongs to; decryption fails in any other place. */
type OwnerRow = readonly [table: string, ...key: readonly string[]]

/** An encrypted text was changed or belongs to another row. The message names the table and quotes nothing of the text. */
export class DecryptionError extends Error {
  override readonly name = 'DecryptionError'
  /** For logs. */
  readonly code = 'NOT_WHAT_WAS_ENCRYPTED'
  constructor(table: string) {
    super(`a text in ${table} is not what was encrypted for its row`)
  }
}

/**
 * `enc:` and the base64 of a version byte, an initialisation vector of 12 bytes, the AES-256-GCM ciphertext, and its tag of 16.
 */
const encryptText = (dataKey: Uint8Array, owner: OwnerRow, text: string): string =>
  prefix +
  Buffer.concat([Buffer.of(version), ...encryptBytes(dataKey, text, JSON.stringify(owner))]).toString(
    'base64',
  )

/** Whether the text is encrypted; no JSON text begins with the prefix. */
export const isEncrypted = (text: string): boolean => text.startsWith(prefix)

/** Throws a `DecryptionError`. */
const decryptText = (dataKey: Uint8Array, owner: OwnerRow, encrypted: string): string => {
  const bytes = Buffer.from(encrypted.slice(prefix.length), 'base64')
  if (!isEncrypted(encrypted) || bytes[0] !== version) throw new DecryptionError(owner[0])
  try {
    return decryptBytes(dataKey, bytes.subarray(1), JSON.stringify(owner)).toString('utf8')
  } catch {
    throw new DecryptionError(owner[0])
  }
}

/** The SHA-256 of a text, in hexadecimal. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The key ring failed, or there is none. */
export class KeyRingError extends Error {
  override readonly name = 'KeyRingError'
  readonly kind: PortFailure['kind']
  /** For logs. */
  readonly code: 'ENCRYPTION_KEY_MISSING' | 'DATA_KEY_NOT_VALID'
  constructor(kind: PortFailure['kind'], message: string, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
    this.code = kind === 'unavailable' ? 'ENCRYPTION_KEY_MISSING' : 'DATA_KEY_NOT_VALID'
  }
}

/** The key that encrypts one row and the rows that belong to it. */
export type DataKey = Readonly<{
  bytes: Uint8Array
  /** The stored form: `<key id>:<wrapped>`. */
  column: string
}>

const answered = async <A>(answer: PortResult<A>): Promise<A> => {
  const either = await answer
  if (either._tag === 'Right') return either.right
  const { kind, cause } = either.left
  throw new KeyRingError(kind, cause instanceof Error ? cause.message : 'the key ring failed', cause)
}

/** Splits the content of a `data_key` column. */
const wrappedKeyOf = (column: string): WrappedKey => {
  const end = column.indexOf(':')
  return { keyId: column.slice(0, end), wrapped: column.slice(end + 1) }
}

const dataKeyBytes = 32

/** The data keys of rows, wrapped by the key ring. Without a key ring new rows are plain, and encrypted rows cannot be read. */
export const dataKeys = (keyRing: KeyRing | undefined) => {
  const unwrapped = (column: string): Promise<Uint8Array> => {
    const wrapped = wrappedKeyOf(column)
    if (keyRing !== undefined) return answered(keyRing.unwrap(wrapped))
    throw new KeyRingError('unavailable', `the key ${wrapped.keyId} is needed, and no key ring is given`)
  }
  const wrap = async (ring: KeyRing, bytes: Uint8Array): Promise<DataKey> => {
    const { keyId, wrapped } = await answered(ring.wrap(bytes))
    return { bytes, column: `${keyId}:${wrapped}` }
  }
  return {
    /** A new data key; undefined without a key ring. */
    make: async (): Promise<DataKey | undefined> => keyRing && wrap(keyRing, randomBytes(dataKeyBytes)),
    /** The key in a column; undefined for NULL, which means that nothing is encrypted. Throws a `KeyRingError`. */
    of: async (column: string | null): Promise<DataKey | undefined> =>
      column === null ? undefined : { bytes: await unwrapped(column), column },
    /** The new content of the column: the same data key, wrapped with the current key of the key ring. Throws a `KeyRingError`. */
    rewrap: async (column: string): Promise<string> => {
      const bytes = await unwrapped(column)
      return keyRing === undefined ? column : (await wrap(keyRing, bytes)).column
    },
  }
}

export type DataKeys = ReturnType<typeof dataKeys>

/** The stored form of a text. */
export const keptText = (dataKey: DataKey | undefined, owner: OwnerRow, text: string): string =>
  dataKey === undefined ? text : encryptText(dataKey.bytes, owner, text)

/** The text of a stored form. Throws a `DecryptionError`. */
export const readText = (dataKey: DataKey | undefined, owner: OwnerRow, kept: string): string =>
  dataKey === undefined ? kept : decryptText(dataKey.bytes, owner, kept)

/**
 * As `readText`, in a table that mixes plain and encrypted texts, as in accounts that were plain before an addition. Throws a
 * `DecryptionError`, also for an encrypted text without a data key.
 */
export const readEither = (dataKey: DataKey | undefined, owner: OwnerRow, kept: string): string => {
  if (!isEncrypted(kept)) return kept
  if (dataKey === undefined) throw new DecryptionError(owner[0])
  return decryptText(dataKey.bytes, owner, kept)
}

/** A secret key that wraps data keys. */
export type EncryptionKey = Readonly<{
  /** Equal on every server that reads the key, and reveals nothing of it. */
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
 * Reads one key or several, each base64 of 32 bytes, separated by commas, blanks or line ends. `undefined` for no key, an invalid
 * key, or a repeated key.
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

/** Wraps data keys with the first key by AES-256-GCM, and unwraps with any of the keys. Each key may wrap 2³² data keys. */
export const secretKeyRing = (keys: readonly [EncryptionKey, ...EncryptionKey[]]): KeyRing => {
  const [current] = keys
  const secrets = new Map(keys.map(({ id, secret }) => [id, secret]))
  return {
    currentKeyId: current.id,
    wrap: async (dataKey) => {
      const wrapped = Buffer.concat(encryptBytes(current.secret, dataKey, current.id)).toString('base64')
      return E.right({ keyId: current.id, wrapped })
    },
    unwrap: async ({ keyId, wrapped }) => {
      const secret = secrets.get(keyId)
      const failed = (kind: 'unavailable' | 'unexpected', what: string) =>
        E.left(portFailure(kind, 'keyRing', 'unwrap', new Error(what)))
      if (secret === undefined) return failed('unavailable', `the encryption key ${keyId} is missing`)
      try {
        return E.right(decryptBytes(secret, Buffer.from(wrapped, 'base64'), keyId))
      } catch {
        return failed('unexpected', `a data key is not what the encryption key ${keyId} wrapped`)
      }
    },
  }
}
