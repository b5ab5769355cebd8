import type { SentDecimal } from './decimal.js'

/**
 * What doubles may be wrong by, at most, in a sum of up to 20 000 numbers or products of two that are `LARGE` when
 * added up without their signs, is below 0.001: each step errs by less than 4 × 10^-16 of what was added so far.
 */
const ERROR = 0.001
const LARGE = 1e8

/**
 * Whether decimals that were added up as doubles surely make a sum between -0.01 and 0.01; so a sum of whole cents is
 * surely zero. `magnitude` is the sum of the same without their signs. It mostly tells at once what `DecimalSum` says
 * exactly; false where a number was none.
 */
export const isSurelyBelowCent = (sum: number, magnitude: number): boolean =>
  Math.abs(sum) < 0.01 - ERROR && magnitude < LARGE

/** The double next to a decimal, NaN for what is none. `Number` takes its time also for what is a number. */
export const toDouble = (sent: SentDecimal | symbol | undefined): number =>
  typeof sent === 'number' ? sent : typeof sent === 'string' ? Number(sent) : Number.NaN
