import type { Instant } from '../values/instant.js'
import { portCall, type PortResult } from './port-failure.js'

/** Random secrets and hashes for keys, tokens and claims. */
export interface Secrets {
  /** 256 fresh random bits as 43 characters of `A-Z a-z 0-9 - _`. */
  generate(): string
  /** The SHA-256 of the text as 64 lower-case hexadecimal digits. For random secrets and names, not for passwords. */
  hash(secret: string): Promise<string>
}

export const hashOf = ({ secrets }: Readonly<{ secrets: Secrets }>, secret: string): PortResult<string> =>
  portCall('secrets')('hash', () => secrets.hash(secret))

/** The only source of time of the use cases. */
export interface Clock {
  /** The current instant. It should not decrease within a process by much: an expiry would be prolonged. */
  now(): Instant
  /**
   * The machine's own clock, which `now` may be ahead of, for times that other servers compare with theirs: those of access
   * tokens. `now` when absent.
   */
  wall?(): Instant
}

/** An encrypted data key, which may be stored beside the data that it encrypts: only the key ring can decrypt it. */
export type WrappedKey = Readonly<{
  /** The id of the key that it was wrapped with: 1 to 64 characters of `A-Z a-z 0-9 . _ -`. */
  keyId: string
  /** 1 to 447 printable ASCII characters. */
  wrapped: string
}>

/**
 * Wraps data keys with keys that are kept outside the database. The current key wraps new data keys; others unwrap older ones.
 */
export interface KeyRing {
  /** The id of the key that `wrap` uses. */
  readonly currentKeyId: string

  /** Wraps a data key of 32 bytes. Each call returns another text. */
  wrap(dataKey: Uint8Array): PortResult<WrappedKey>

  /**
   * The data key that was wrapped. `unavailable` if the key `keyId` is missing, as it may be added later; `unexpected` if that
   * key did not wrap this.
   */
  unwrap(wrappedKey: WrappedKey): PortResult<Uint8Array>
}
