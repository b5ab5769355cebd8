import type { SentDecimal } from './decimal.js'

/**
 * What doubles may be wrong by, at most, in a sum of up to 20 000 numbers or products of two that are `LARGE` when
 * added up without their signs, is below 0.001: each step errs by less than 4 × 10^-16 of what was added so far.
 */
const ERROR = 0.001
const LARGE = 1e8

/** A sum of decimals in doubles, which mostly can tell at once what `DecimalSum` says exactly. */
export class RoughSum {
  private value = 0
  private magnitude = 0

  add(sent: SentDecimal): void {
    this.addDouble(Number(sent))
  }

  subtract(sent: SentDecimal): void {
    this.addDouble(-Number(sent))
  }

  subtractProduct(left: SentDecimal, right: SentDecimal): void {
    this.addDouble(-(Number(left) * Number(right)))
  }

  /** Whether the exact sum is surely between -0.01 and 0.01; so a sum of whole cents is surely zero. */
  get isSurelyBelowCent(): boolean {
    return Math.abs(this.value) < 0.01 - ERROR && this.magnitude < LARGE
  }

  private addDouble(value: number): void {
    this.value += value
    this.magnitude += Math.abs(value)
  }
}
