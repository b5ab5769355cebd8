import type { PortResult } from './port-failure.js'

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
