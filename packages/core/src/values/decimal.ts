/** A decimal in canonical text: no exponent, no plus sign, no leading zeros. Exact, never floating point. */
export type DecimalText = string & { readonly DecimalText: unique symbol }

/** A decimal of a client: a JSON number or a decimal string. Stored and echoed as sent. */
export type SentDecimal = number | string

const PLACES = 2

/**
 * Money with exactly two places, as in answers: `12.30`, and never `-0.00`. The value must be between -10^12 and 10^12
 * and have at most two decimals, as all accepted money does: the double of such a value is printed exactly.
 */
export const toMoney = (sent: SentDecimal): DecimalText => {
  const text = typeof sent === 'number' ? sent.toFixed(PLACES) : withTwoPlaces(sent)
  return (text === '-0.00' ? '0.00' : text) as DecimalText
}

const withTwoPlaces = (text: string): string => {
  const [whole = '', fraction = ''] = text.split('.')
  return `${whole}.${fraction.slice(0, PLACES).padEnd(PLACES, '0')}`
}

/** The parts of a decimal text. Trailing zeros of the fraction do not count as decimals; `-0` is not negative. */
type DecimalShape = Readonly<{ wholeDigits: number; decimals: number; isNegative: boolean }>

/** The parts of a text in decimal syntax, `-?(0|[1-9][0-9]*)(\.[0-9]+)?` in ASCII; undefined for any other. */
export const scanDecimal = (text: string): DecimalShape | undefined => {
  const start = text.charCodeAt(0) === MINUS ? 1 : 0
  const point = endOfDigits(text, start)
  const wholeDigits = point - start
  if (wholeDigits === 0 || (wholeDigits > 1 && text.charCodeAt(start) === ZERO)) return undefined
  const end = point === text.length ? point : endOfFraction(text, point)
  if (end !== text.length) return undefined
  const decimals = withoutTrailingZeros(text, point + 1, end) - point - 1
  const isZero = decimals <= 0 && text.charCodeAt(start) === ZERO
  return { wholeDigits, decimals: Math.max(decimals, 0), isNegative: start === 1 && !isZero }
}

const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30

const endOfDigits = (text: string, from: number): number => {
  let index = from
  while (index < text.length && isDigit(text.charCodeAt(index))) index++
  return index
}

const isDigit = (unit: number): boolean => unit >= ZERO && unit <= 0x39

/** The end of point and digits; before the end of the text if there are no digits or no point. */
const endOfFraction = (text: string, point: number): number => {
  if (text.charCodeAt(point) !== POINT) return point
  const end = endOfDigits(text, point + 1)
  return end === point + 1 ? point : end
}

const withoutTrailingZeros = (text: string, from: number, end: number): number => {
  let index = end
  while (index > from && text.charCodeAt(index - 1) === ZERO) index--
  return index
}

/** Below this, a double times a power of ten, rounded, is exactly the integer of the decimal's digits. */
const READ_EXACTLY = 1e15

/** The sum of two numbers up to this one is exact as a double. */
const ADDED_EXACTLY = 2 ** 52

/**
 * An exact sum of decimals and of products of two decimals. It counts units of 10^-decimals: as a double while the number
 * is small, which is usual, as a BigInt beyond.
 *
 * `decimals`, 0 to 22: at least the decimals of each added number, and of the two factors of a product together.
 */
export class DecimalSum {
  private readonly decimals: number
  private small = 0
  private large = 0n

  constructor(decimals: number) {
    this.decimals = decimals
  }

  add(sent: SentDecimal): void {
    this.addUnits(sent, 1)
  }

  subtract(sent: SentDecimal): void {
    this.addUnits(sent, -1)
  }

  /** Subtracts left × right. Left has at most `decimals` decimals, right at most the rest of the decimals of the sum. */
  subtractProduct(left: SentDecimal, right: SentDecimal, decimals: number): void {
    const rest = this.decimals - decimals
    const product = smallUnits(left, decimals) * smallUnits(right, rest)
    if (Math.abs(product) <= ADDED_EXACTLY) this.addSmall(-product)
    else this.large -= bigUnits(left, decimals) * bigUnits(right, rest)
  }

  get isZero(): boolean {
    return this.large === 0n ? this.small === 0 : this.total() === 0n
  }

  /** Whether the sum is 0.01 or more, or -0.01 or less. */
  get isCentOrMore(): boolean {
    const cent = powerOfTen(this.decimals - 2)
    if (this.large === 0n) return Math.abs(this.small) >= cent
    const total = this.total()
    return (total < 0n ? -total : total) >= BigInt(cent)
  }

  private total(): bigint {
    return this.large + BigInt(this.small)
  }

  private addUnits(sent: SentDecimal, sign: 1 | -1): void {
    const units = smallUnits(sent, this.decimals)
    if (Number.isNaN(units)) this.large += BigInt(sign) * bigUnits(sent, this.decimals)
    else this.addSmall(sign * units)
  }

  /** `units`: whole, from -`ADDED_EXACTLY` to `ADDED_EXACTLY`. */
  private addSmall(units: number): void {
    this.small += units
    if (Math.abs(this.small) <= ADDED_EXACTLY) return
    this.large += BigInt(this.small)
    this.small = 0
  }
}

const powers = Array.from({ length: 23 }, (_, exponent) => 10 ** exponent)

const powerOfTen = (exponent: number): number => powers[exponent] ?? NaN

/**
 * The value in units of 10^-decimals; NaN if the number is too large to be exact as a double. No two values of at most 15
 * digits have the same double, so rounding finds the value that was sent.
 */
const smallUnits = (sent: SentDecimal, decimals: number): number => {
  const units = Math.round(Number(sent) * powerOfTen(decimals))
  return Math.abs(units) < READ_EXACTLY ? units : NaN
}

/** The value in units of 10^-decimals, for any size. Fraction digits beyond `decimals` can only be zeros. */
const bigUnits = (sent: SentDecimal, decimals: number): bigint => {
  const [whole = '', fraction = ''] = String(sent).split('.')
  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
}
