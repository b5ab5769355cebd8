import type { ErrorCode, Limits } from '../catalogue/index.js'
import { Codec } from './codec.js'
import { FAILED, type Failed } from './failed.js'
import type { Findings } from './findings.js'
import type { Location } from './path.js'

const noLimits: Limits = {}

/** A value without parts: its checks stop at the first that fails (docs/reference/types.md#types-of-fields). */
export abstract class Scalar<A> extends Codec<A> {
  /** The code of the first check that fails. */
  abstract codeOf(value: unknown): ErrorCode | undefined

  /** What is to be given in place of what is `invalid`, in words that follow `Give`. */
  abstract readonly form: string

  /** What fills the placeholders in the text of a code. */
  limitsOf(_code: ErrorCode): Limits {
    return noLimits
  }

  override read(value: unknown, at: Location, findings: Findings): A | Failed {
    const code = this.codeOf(value)
    // The checks are what makes a value an A, so one that passes them all is one.
    if (code === undefined) return value as A
    findings.add(at, code, code === 'invalid' ? { form: this.form } : this.limitsOf(code))
    return FAILED
  }
}
