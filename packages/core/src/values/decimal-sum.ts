import type { SentDecimal } from './decimal.js'

/** Below this a whole number of units times a power of ten, read from its double, is surely the right one. */
const READ_EXACTLY = 1e15

/** Two numbers up to here have a sum that is exact as a double. */
const ADDED_EXACTLY = 2 ** 52

/**
 * A sum of decimals and products of them in units of 10^-decimals; always exact. Whole numbers as doubles while
 * they are small, which they mostly are; BigInt beyond.
 *
 * `decimals`, 0 to 22: at least as many as any number that is added has, and any two that are multiplied together.
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

  /** Subtracts left × right; `decimals` of left, the rest of those of the sum may be of right. */
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

  /** `units`: whole, at most `ADDED_EXACTLY` either way. */
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
 * The value in units of 10^-decimals; NaN if there are too many of them. A value of at most 15 digits is the only
 * one near its double, so that rounding finds it.
 */
const smallUnits = (sent: SentDecimal, decimals: number): number => {
  const units = Math.round(Number(sent) * powerOfTen(decimals))
  return Math.abs(units) < READ_EXACTLY ? units : NaN
}

/** The same from the digits of the text; of the fraction only zeros lie beyond `decimals`. */
const bigUnits = (sent: SentDecimal, decimals: number): bigint => {
  const [whole = '', fraction = ''] = String(sent).split('.')
  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
}
