import { TE } from '../fp.js'
import type { Instant } from '../values/instant.js'
import { portFailure, type PortResult } from './port-failure.js'

/** Randomness and one-way hashing for keys, tokens and claims. */
export interface Secrets {
  /** 256 fresh random bits as 43 characters of `A-Z a-z 0-9 - _`. */
  generate(): string
  /** The SHA-256 of the text as 64 lower-case hexadecimal digits. For random secrets and for names, not for passwords. */
  hash(secret: string): Promise<string>
}

export const hashOf = ({ secrets }: Readonly<{ secrets: Secrets }>, secret: string): PortResult<string> =>
  TE.tryCatch(
    () => secrets.hash(secret),
    (cause) => portFailure('unexpected', 'secrets', 'hash', cause),
  )

/** The only source of time below the composition root. */
export interface Clock {
  /** The current instant. It should never go back within a process: an expiry would be prolonged. */
  now(): Instant
}

/** A data key as it may lie beside what it encrypts: only the key ring can make it usable again. */
export type WrappedKey = Readonly<{
  /** Names the key that it was wrapped with: 1 to 64 characters of `A-Z a-z 0-9 . _ -`. */
  keyId: string
  /** 1 to 447 printable ASCII characters. */
  wrapped: string
}>

/** Wraps data keys with keys that are kept elsewhere. One of these is used for new data keys, and others unwrap older ones. */
export interface KeyRing {
  /** The id of the key that `wrap` uses. */
  readonly currentKeyId: string

  /** Wraps a data key of 32 bytes. Each time gives another text. */
  wrap(dataKey: Uint8Array): PortResult<WrappedKey>

  /**
   * The data key that was wrapped. `unavailable` where the key that is named is not there, which it may be later;
   * `unexpected` where it is there and did not wrap this.
   */
  unwrap(wrappedKey: WrappedKey): PortResult<Uint8Array>
}
