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
  const digits = text.replace(/[-.]/g, '').replace(/^0+/, '')
  return digits.length > MAX_DIGITS ? 'max_digits' : undefined
}
