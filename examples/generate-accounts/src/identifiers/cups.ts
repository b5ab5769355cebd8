import { checkLetter } from './check-letter.js'

const TWELVE_DIGITS = 1_000_000_000_000

/**
 * The number of a supply point inside its CUPS: different for different ordinals below 10^12, and spread out. The
 * factor has no divisor in common with 10, and its products stay below 2^53.
 */
const spread = (ordinal: number): string =>
  String((((ordinal + 123_456_789) % TWELVE_DIGITS) * 7919) % TWELVE_DIGITS).padStart(12, '0')

const remainder = (digits: string, divisor: number): number => {
  let rest = 0
  for (let at = 0; at < digits.length; at++) rest = (rest * 10 + digits.charCodeAt(at) - 0x30) % divisor
  return rest
}

/** The CUPS of a distributor's supply point with its two check letters. */
export const cupsOf = (distributor: string, ordinal: number): string => {
  const digits = distributor + spread(ordinal)
  const rest = remainder(digits, 529)
  return `ES${digits}${checkLetter(Math.floor(rest / 23))}${checkLetter(rest % 23)}`
}
