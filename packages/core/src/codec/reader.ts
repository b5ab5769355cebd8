import type { Failed } from './failed.js'
import type { Findings } from './findings.js'
import type { Location } from './path.js'

/**
 * The part of a codec that containers need. An io-ts type also encodes, so a codec of a narrower type cannot stand
 * for one of a wider type; a reader can, so that containers hold readers of anything as `Reader<unknown>`.
 */
export interface Reader<A> {
  readonly name: string
  /** The kind of codec, for code that makes documentation or schemas from codecs. */
  readonly _tag: string
  /**
   * Reads the value that the location points to, and adds what is wrong to the findings. Returns `FAILED` if the
   * value cannot be used at all. A container that could be read holds `FAILED` wherever content of it could not, so
   * the result is an `A` only while the findings are clean.
   */
  read(value: unknown, at: Location, findings: Findings): A | Failed
}
