import type { Failed } from './failed.js'
import type { Findings } from './findings.js'
import type { Location } from './location.js'

/**
 * The part of a codec that containers need. Unlike io-ts types, which also encode, a reader of a narrower type
 * is a reader of a wider one; so containers can hold readers of anything.
 */
export interface Reader<A> {
  readonly name: string
  /** The kind of codec, for those who read documentation or schemas from the codecs. */
  readonly _tag: string
  /**
   * Reads the value that the location stands at. What is wrong goes into the findings; the answer is `FAILED`
   * if the value cannot be used at all. A container that could be read holds `FAILED` in the places of content
   * that could not, so the answer counts as an `A` only while the findings are clean.
   */
  read(value: unknown, at: Location, findings: Findings): A | Failed
}
