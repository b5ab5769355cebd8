import type { ErrorCode, Limits } from '../catalogue/index.js'
import { scanDecimal, type SentDecimal } from '../values/decimal.js'
import { Codec, FAILED, type Failed } from './codec.js'
import { type Findings, Location } from './findings.js'
import { isBlank, isLongerThan, MAX_BYTES, Scalar, text } from './scalars.js'
import { isJsonObject, isShownKey, MAX_ITEMS } from './struct.js'

/** With more digits than this, the double may differ from the number that the client wrote. */
const MAX_DIGITS = 15

/**
 * The fault of a JSON number, by its text, the shortest decimal that reads back to the same double: `invalid` if it is not
 * finite or the text has an exponent, `max_digits` if it has more than 15 digits, leading zeros not counted.
 */
const jsonNumberCode = (value: number): ErrorCode | undefined => {
  if (!Number.isFinite(value)) return 'invalid'
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return undefined
  const text = String(value)
  if (text.includes('e')) return 'invalid'
  return text.length > MAX_DIGITS && digitsOf(text) > MAX_DIGITS ? 'max_digits' : undefined
}

const digitsOf = (text: string): number => text.replace(/[-.]/g, '').replace(/^0+/, '').length

/**
 * A fast test without making the number's text: true only if a number without sign has at most 15 digits and, with
 * `scale` = 10^d, at most d of them after the point. It is correct because any two decimals of 15 digits are different
 * doubles: if the number equals k / scale and k has at most 15 digits, k / scale is its shortest decimal.
 */
const isShortDecimal = (magnitude: number, scale: number): boolean => {
  const scaled = Math.round(magnitude * scale)
  return scaled < 1e15 && scaled / scale === magnitude && (magnitude >= 1e-6 || magnitude === 0)
}

/** The longest decimal text, in characters. */
const MAX_TEXT = 64

/** The limits of a decimal: digits before and after the point; not negative with `floor`. */
export type DecimalSize = Readonly<{ whole: number; decimals: number; floor?: 0 }>

class DecimalTextCodec<A> extends Scalar<A> {
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

class DecimalCodec extends DecimalTextCodec<SentDecimal> {
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

  /** A fast test without making the number's text: true only for numbers that pass; others are read as text. */
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

/** The largest depth of JSON in a request (docs/reference/api.md#what-happens-to-a-payload). */
const MAX_LEVELS = 32

const anyText = text(MAX_BYTES)

const scalarCode = (value: unknown): ErrorCode | undefined => {
  if (typeof value === 'string') return anyText.codeOf(value)
  if (typeof value === 'number') return jsonNumberCode(value)
  return typeof value === 'boolean' || value === null ? undefined : 'invalid'
}

class FreeObject extends Codec<Readonly<Record<string, unknown>>> {
  readonly _tag = 'FreeObject'

  override read(
    value: unknown,
    at: Location,
    findings: Findings,
  ): Readonly<Record<string, unknown>> | Failed {
    if (isJsonObject(value)) {
      this.readObject(value, at, findings, [])
      return value
    }
    findings.add(at, value === null ? 'null' : 'not_a_dict')
    return FAILED
  }

  /**
   * `holders`: the containers around the value. A value that is one of its own holders contains itself, which ends the
   * descent.
   */
  private readAny(value: unknown, at: Location, findings: Findings, holders: unknown[]): void {
    const isList = Array.isArray(value)
    if (!isList && !isJsonObject(value)) {
      const code = scalarCode(value)
      if (code !== undefined)
        findings.add(at, code, {
          max: MAX_BYTES,
          form: 'a text, true, false, null or a number without exponent',
        })
    } else if (holders.length >= MAX_LEVELS || holders.includes(value))
      findings.add(at, 'invalid', { form: `JSON of at most ${MAX_LEVELS} levels` })
    else if (isList) this.readList(value, at, findings, holders)
    else this.readObject(value, at, findings, holders)
  }

  private readObject(
    object: Readonly<Record<string, unknown>>,
    at: Location,
    findings: Findings,
    holders: unknown[],
  ): void {
    const keys = Object.keys(object)
    if (keys.length === 0) return
    const here = new Location(at)
    holders.push(object)
    for (const key of keys) {
      if (object[key] === undefined) continue
      here.key = isShownKey(key) ? key : undefined
      this.readAny(object[key], here, findings, holders)
    }
    holders.pop()
  }

  private readList(items: readonly unknown[], at: Location, findings: Findings, holders: unknown[]): void {
    if (items.length > MAX_ITEMS) {
      findings.add(at, 'max_length', { max: MAX_ITEMS })
      return
    }
    if (items.length === 0) return
    const here = new Location(at)
    holders.push(items)
    for (let index = 0; index < items.length; index++) {
      here.key = index
      here.rank = index
      this.readAny(items[index], here, findings, holders)
    }
    holders.pop()
  }
}

/**
 * free object: any content, null too, unchanged. Codes: `null`, `not_a_dict`; inside, at the inner path, those of
 * text(65536) and of JSON numbers, and `max_length` at a list of over 10 000 items. Content that is no JSON
 * (functions, cycles) or has more than 32 levels is `invalid`.
 */
export const freeObject = new FreeObject('free object')
