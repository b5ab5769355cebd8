import type { ErrorCode } from '../catalogue/index.js'

/** With more digits than this, the double may differ from the number that the client wrote. */
const MAX_DIGITS = 15

/**
 * The code of what is wrong with a JSON number, by its text, the shortest decimal that reads back to the same double: `invalid` if it is not
 * finite or the text has an exponent, `max_digits` if it has more than 15 digits, zeros in front not counted.
 */
export const jsonNumberCode = (value: number): ErrorCode | undefined => {
  if (!Number.isFinite(value)) return 'invalid'
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return undefined
  const text = String(value)
  if (text.includes('e')) return 'invalid'
  return text.length > MAX_DIGITS && digitsOf(text) > MAX_DIGITS ? 'max_digits' : undefined
}

const digitsOf = (text: string): number => text.replace(/[-.]/g, '').replace(/^0+/, '').length

/**
 * Quick test without making the number's text: true only if a number without sign has at most 15 digits and, with
 * `scale` = 10^d, at most d of them after the point. It holds because any two decimals of 15 digits are different
 * doubles: if the number equals k / scale and k has at most 15 digits, k / scale is its shortest decimal.
 */
export const isShortDecimal = (magnitude: number, scale: number): boolean => {
  const scaled = Math.round(magnitude * scale)
  return scaled < 1e15 && scaled / scale === magnitude && (magnitude >= 1e-6 || magnitude === 0)
}
