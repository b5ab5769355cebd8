import type { ErrorCode, Limits } from '../catalogue/index.js'
import { Scalar } from './scalar.js'
import { isBlank, isLongerThan, isTooManyBytes } from './scan-text.js'

/** Text of at most `max` code points and 64 KiB. `mayBeBlank`: true for text(n), false for term(n). */
export class Text extends Scalar<string> {
  readonly _tag: string = 'Text'
  readonly form: string = 'a text in quotes'
  readonly max: number
  readonly mayBeBlank: boolean

  constructor(name: string, max: number, mayBeBlank: boolean) {
    super(name)
    this.max = max
    this.mayBeBlank = mayBeBlank
  }

  override codeOf(value: unknown): ErrorCode | undefined {
    if (typeof value !== 'string') return value === null ? 'null' : 'invalid'
    if (!this.mayBeBlank && isBlank(value)) return 'blank'
    if (value.includes('\0')) return 'null_characters_not_allowed'
    if (!value.isWellFormed()) return 'surrogate_characters_not_allowed'
    return isLongerThan(this.max, value) || isTooManyBytes(value) ? 'max_length' : undefined
  }

  override limitsOf(): Limits {
    return { max: this.max }
  }
}

/**
 * text(n): a string, may be blank. Codes: `null`, `invalid`, `null_characters_not_allowed`,
 * `surrogate_characters_not_allowed`, `max_length`.
 */
export const text = (max: number): Text => new Text(`text(${max})`, max, true)

/** term(n): text(n) that is not blank. Codes: as text, with `blank` after `invalid`. */
export const term = (max: number): Text => new Text(`term(${max})`, max, false)
