import { checkLetter } from './check-letter.js'
import { numberOfTwo } from './digit.js'
import { plainForm } from './plain-form.js'

/** Country, distributor and number, check letters, and for some points a digit and the kind of metering point. */
const form = /^ES\d{16}[TRWAGMYFPDXBNJZSQVHLCKE]{2}(?:\d[FPRCXYZ])?$/

/** The 16 digits modulo 529. Two digits at a time, as a number of 16 digits need not be exact as a double. */
const remainderOf = (cups: string): number => {
  let remainder = 0
  for (let index = 2; index < 18; index += 2) remainder = (remainder * 100 + numberOfTwo(cups, index)) % 529
  return remainder
}

/**
 * The CUPS that a supply point identifier is, without white space and hyphens and in upper case: 20 or 22
 * characters with the right check letters. Undefined if it is no CUPS.
 */
export const cupsOf = (identifier: string): string | undefined => {
  // Most identifiers come in this form, and need no other.
  if (form.test(identifier)) return hasRightLetters(identifier) ? identifier : undefined
  const cups = plainForm(identifier, /[\s-]+/g)
  return form.test(cups) && hasRightLetters(cups) ? cups : undefined
}

const hasRightLetters = (cups: string): boolean => {
  const remainder = remainderOf(cups)
  return (
    cups.charAt(18) === checkLetter(Math.floor(remainder / 23)) &&
    cups.charAt(19) === checkLetter(remainder % 23)
  )
}

/** The four digits of the distributor inside a CUPS. */
export const distributorOf = (cups: string): string => cups.slice(2, 6)
