import type { ErrorCode, Limits } from '../catalogue/index.js'
import { scanDecimal } from '../values/decimal-syntax.js'
import { Scalar } from './scalar.js'
import { isBlank, isLongerThan } from './scan-text.js'

/** The longest decimal text, in characters. */
const MAX_TEXT = 64

/** How large a decimal may be: digits before and after the point, and whether it may be negative. */
export type DecimalSize = Readonly<{ whole: number; decimals: number; floor?: 0 }>

export class DecimalTextCodec<A> extends Scalar<A> {
  readonly _tag: string = 'DecimalText'
  readonly form: string = 'a decimal in quotes such as "12.5"'
  readonly size: DecimalSize

  constructor(name: string, size: DecimalSize) {
    super(name)
    this.size = size
  }

  override codeOf(value: unknown): ErrorCode | undefined {
    if (typeof value !== 'string') return value === null ? 'null' : 'invalid'
    if (isBlank(value)) return 'blank'
    return isLongerThan(MAX_TEXT, value) ? 'max_string_length' : this.syntaxCode(value)
  }

  protected syntaxCode(text: string): ErrorCode | undefined {
    const shape = scanDecimal(text)
    if (shape === undefined) return 'invalid'
    if (shape.wholeDigits > this.size.whole) return 'max_whole_digits'
    if (shape.decimals > this.size.decimals) return 'max_decimal_places'
    return shape.isNegative && this.size.floor === 0 ? 'min_value' : undefined
  }

  override limitsOf(code: ErrorCode): Limits {
    if (code === 'max_whole_digits') return { max: this.size.whole }
    if (code === 'max_decimal_places') return { max: this.size.decimals }
    return code === 'min_value' ? { min: 0 } : { max: MAX_TEXT }
  }
}

/**
 * decimal text: a decimal string, not a number. Codes: `null`, `invalid`, `blank`,
 * `max_string_length`, `invalid`, `max_whole_digits`, `max_decimal_places`, `min_value`.
 */
export const decimalText = (size: DecimalSize): DecimalTextCodec<string> =>
  new DecimalTextCodec<string>(`decimal text ${size.whole}/${size.decimals}`, size)
