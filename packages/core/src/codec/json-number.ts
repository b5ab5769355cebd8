import type { ErrorCode } from '../catalogue/index.js'

/** From this many digits on, a double may differ from what was written: section 3. */
const MAX_DIGITS = 15

/**
 * Judges a JSON number by the shortest decimal text that reads back to it: `invalid` if it is not finite or the
 * text has an exponent, `max_digits` if it has more than 15 digits, zeros in front not counted.
 */
export const judgeJsonNumber = (value: number): ErrorCode | undefined => {
  if (!Number.isFinite(value)) return 'invalid'
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return undefined
  const text = String(value)
  if (text.includes('e')) return 'invalid'
  return text.length > MAX_DIGITS && digitsOf(text) > MAX_DIGITS ? 'max_digits' : undefined
}

const digitsOf = (text: string): number => text.replace(/[-.]/g, '').replace(/^0+/, '').length

/**
 * Whether a number without sign surely has at most 15 digits and, if `scale` is 10^d, at most d of them after the
 * point, without making its text. If it is the double next to k / scale and k has at most 15 digits, then k / scale
 * is its shortest decimal, as decimals of 15 digits differ as doubles.
 */
export const isShortDecimal = (magnitude: number, scale: number): boolean => {
  const scaled = Math.round(magnitude * scale)
  return scaled < 1e15 && scaled / scale === magnitude && (magnitude >= 1e-6 || magnitude === 0)
}
