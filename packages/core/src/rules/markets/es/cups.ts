import { checkLetter } from './check-letter.js'
import { plainForm } from './plain-form.js'

/** Country, distributor and number, check letters, and for some points a digit and the kind of metering point. */
const form = /^ES\d{16}[TRWAGMYFPDXBNJZSQVHLCKE]{2}(?:\d[FPRCXYZ])?$/

/** The 16 digits modulo 529, in two halves: together they are no exact number. */
const remainderOf = (digits: string): number =>
  ((Number(digits.slice(0, 8)) % 529) * 100_000_000 + Number(digits.slice(8))) % 529

/**
 * The CUPS that a supply point identifier is, without white space and hyphens and in upper case: 20 or 22
 * characters with the right check letters. Undefined if it is none. Section 8.1.
 */
export const cupsOf = (identifier: string): string | undefined => {
  const cups = plainForm(identifier, /[\s-]+/g)
  if (!form.test(cups)) return undefined
  const remainder = remainderOf(cups.slice(2, 18))
  const letters = checkLetter(Math.floor(remainder / 23)) + checkLetter(remainder % 23)
  return cups.slice(18, 20) === letters ? cups : undefined
}

/** The four digits of the distributor inside a CUPS. */
export const distributorOf = (cups: string): string => cups.slice(2, 6)
