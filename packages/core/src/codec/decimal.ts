import type { ErrorCode } from '../catalogue/index.js'
import type { SentDecimal } from '../values/decimal.js'
import { isShortDecimal, jsonNumberCode } from './json-number.js'
import { DecimalTextCodec, type DecimalSize } from './decimal-text.js'

export class DecimalCodec extends DecimalTextCodec<SentDecimal> {
  override readonly _tag = 'Decimal'
  override readonly form = 'a decimal such as 12.5 or "12.5"'
  private readonly scale: number
  private readonly limit: number

  constructor(size: DecimalSize) {
    super(`decimal ${size.whole}/${size.decimals}`, size)
    this.scale = 10 ** size.decimals
    this.limit = 10 ** size.whole
  }

  override codeOf(value: unknown): ErrorCode | undefined {
    if (typeof value !== 'number') return super.codeOf(value)
    if (this.fits(value)) return undefined
    return jsonNumberCode(value) ?? this.syntaxCode(String(value))
  }

  /** Quick test without making the number's text: true only for numbers that pass; others are read as text. */
  fits(value: number): boolean {
    const magnitude = Math.abs(value)
    return (
      isShortDecimal(magnitude, this.scale) &&
      magnitude < this.limit &&
      (value >= 0 || this.size.floor === undefined)
    )
  }
}

/**
 * decimal w/d: a JSON number or a decimal string, kept as sent. Codes: as decimal text, with
 * `max_digits` (JSON numbers only) before `max_whole_digits`.
 */
export const decimal = (size: DecimalSize): DecimalCodec => new DecimalCodec(size)

/** Major units, at most two decimals. */
export const money = decimal({ whole: 10, decimals: 2 })
export const figure = decimal({ whole: 10, decimals: 10 })
export const quantity = decimal({ whole: 12, decimals: 4 })
export const price = decimal({ whole: 8, decimals: 7 })
