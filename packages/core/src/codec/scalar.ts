import type { ErrorCode, Limits } from '../catalogue/index.js'
import { Codec } from './codec.js'
import { FAILED, type Failed } from './failed.js'
import type { Findings } from './findings.js'
import type { Location } from './location.js'

const noLimits: Limits = {}

/** A value without parts: its checks run in the order of section 3 and stop at the first that fails. */
export abstract class Scalar<A> extends Codec<A> {
  /** The code of the first check that fails. */
  abstract judge(value: unknown): ErrorCode | undefined

  /** What fills the placeholders in the text of a code. */
  limitsOf(_code: ErrorCode): Limits {
    return noLimits
  }

  override read(value: unknown, at: Location, findings: Findings): A | Failed {
    const code = this.judge(value)
    // A value that no check objects to is an A: that is what the checks are.
    if (code === undefined) return value as A
    findings.add(at, code, this.limitsOf(code))
    return FAILED
  }
}
