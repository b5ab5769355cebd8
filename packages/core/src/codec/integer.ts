import type { ErrorCode, Limits } from '../catalogue/index.js'
import { Scalar } from './scalar.js'

/** From here on JavaScript writes a number with an exponent, which integers may not have. */
const EXPONENT = 1e21

export class Integer extends Scalar<number> {
  readonly _tag = 'Integer'
  readonly min: number
  readonly max: number
  readonly form: string

  constructor(min: number, max: number) {
    super(`integer ${min}..${max}`)
    this.min = min
    this.max = max
    this.form = `a whole number from ${min} to ${max}, without quotes`
  }

  override codeOf(value: unknown): ErrorCode | undefined {
    if (typeof value !== 'number') return value === null ? 'null' : 'invalid'
    if (!Number.isInteger(value) || Math.abs(value) >= EXPONENT) return 'invalid'
    if (value < this.min) return 'min_value'
    return value > this.max ? 'max_value' : undefined
  }

  override limitsOf(): Limits {
    return { min: this.min, max: this.max }
  }
}

/** integer a..b: a JSON number without fraction. Codes: `null`, `invalid`, `min_value`, `max_value`. */
export const integer = (min: number, max: number): Integer => new Integer(min, max)
