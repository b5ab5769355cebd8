import type { KeyRing, PortFailure, PortResult, WrappedKey } from '@account-import/core'
import { randomBytes } from 'node:crypto'
import { decryptText, DecryptionError, encryptText, isEncrypted, type OwnerRow } from './encrypted-text.js'

/** The key ring did not do what it was asked for, or there is none. */
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

/** The key of one row, and of what hangs on it. */
export type DataKey = Readonly<{
  bytes: Uint8Array
  /** How it is kept: `<key id>:<wrapped>`. */
  column: string
}>

/** What encrypts and decrypts rows. */
export type DataKeys = Readonly<{
  /** Whether what is written is encrypted. */
  encrypts: boolean
  /** A new one; undefined where what is written is not encrypted. */
  make(): Promise<DataKey | undefined>
  /** The key that a column holds; undefined where it is NULL, since then nothing is encrypted. Throws a `KeyRingError`. */
  of(column: string | null): Promise<DataKey | undefined>
  /** What the column is to hold so that the same key hangs on the key that the key ring uses now. Throws a `KeyRingError`. */
  rewrap(column: string): Promise<string>
}>

const answered = async <A>(answer: PortResult<A>): Promise<A> => {
  const either = await answer()
  if (either._tag === 'Right') return either.right
  const { kind, cause } = either.left
  throw new KeyRingError(kind, cause instanceof Error ? cause.message : 'the key ring failed', cause)
}

const columnOf = ({ keyId, wrapped }: WrappedKey): string => `${keyId}:${wrapped}`

/** What a column holds. */
const wrappedKeyOf = (column: string): WrappedKey => {
  const end = column.indexOf(':')
  return { keyId: column.slice(0, end), wrapped: column.slice(end + 1) }
}

const dataKeyBytes = 32

const noKeyRing = (column: string): KeyRingError =>
  new KeyRingError('unavailable', `the key ${wrappedKeyOf(column).keyId} is needed, and no key ring is given`)

/** Wraps by the key ring; without one nothing new is encrypted, and what is encrypted cannot be read. */
export const dataKeys = (keyRing: KeyRing | undefined): DataKeys => {
  const unwrapped = (ring: KeyRing | undefined, column: string): Promise<Uint8Array> => {
    if (ring === undefined) throw noKeyRing(column)
    return answered(ring.unwrap(wrappedKeyOf(column)))
  }
  const wrapped = async (ring: KeyRing, bytes: Uint8Array): Promise<DataKey> => ({
    bytes,
    column: columnOf(await answered(ring.wrap(bytes))),
  })
  return {
    encrypts: keyRing !== undefined,
    make: async () => (keyRing === undefined ? undefined : wrapped(keyRing, randomBytes(dataKeyBytes))),
    of: async (column) => (column === null ? undefined : { bytes: await unwrapped(keyRing, column), column }),
    rewrap: async (column) => {
      const bytes = await unwrapped(keyRing, column)
      return keyRing === undefined ? column : (await wrapped(keyRing, bytes)).column
    },
  }
}

/** What a text is kept as. */
export const keptText = (dataKey: DataKey | undefined, owner: OwnerRow, text: string): string =>
  dataKey === undefined ? text : encryptText(dataKey.bytes, owner, text)

/** The text that was kept so. Throws a `DecryptionError`. */
export const readText = (dataKey: DataKey | undefined, owner: OwnerRow, kept: string): string =>
  dataKey === undefined ? kept : decryptText(dataKey.bytes, owner, kept)

/**
 * The same of a text in a table where plain and encrypted texts stand beside each other, as in accounts that were plain before
 * something was added to them. Throws a `DecryptionError`, also where a text is encrypted and there is no data key.
 */
export const readEither = (dataKey: DataKey | undefined, owner: OwnerRow, kept: string): string => {
  if (!isEncrypted(kept)) return kept
  if (dataKey === undefined) throw new DecryptionError(owner[0])
  return decryptText(dataKey.bytes, owner, kept)
}
