/** The form of most sent identifiers, which need no change. */
const plain = /^[0-9A-Z]*$/

/**
 * The text in upper case and without the characters that match `ignored` (a global pattern). Letters outside of ASCII are
 * not changed: some of them, such as the long s, would become letters of identifiers.
 */
export const plainForm = (text: string, ignored: RegExp): string =>
  plain.test(text) ? text : text.replace(ignored, '').replace(/[a-z]/g, (letter) => letter.toUpperCase())

/** The 23 check letters of Spanish identifiers, by the remainder of a division by 23. */
const alphabet = 'TRWAGMYFPDXBNJZSQVHLCKE'

/** The check letter of the digits of a Spanish personal number, at most 8 of them. */
export const checkLetterOf = (digits: string): string => alphabet.charAt(Number(digits) % alphabet.length)

/** Country, distributor and number, check letters, and for some supply points a digit and the kind of metering point. */
const form = /^ES\d{16}[TRWAGMYFPDXBNJZSQVHLCKE]{2}(?:\d[FPRCXYZ])?$/

/** The 16 digits modulo 529, two digits at a time, as a number of 16 digits may not be exact as a double. */
const remainderOf = (cups: string): number => {
  let remainder = 0
  for (let index = 2; index < 18; index += 2)
    remainder = (remainder * 100 + Number(cups.slice(index, index + 2))) % 529
  return remainder
}

const hasRightLetters = (cups: string): boolean => {
  const remainder = remainderOf(cups)
  return (
    cups.charAt(18) === alphabet.charAt(Math.floor(remainder / 23)) &&
    cups.charAt(19) === alphabet.charAt(remainder % 23)
  )
}

/**
 * The CUPS of a supply point identifier, without white space and hyphens and in upper case: 20 or 22 characters with the
 * right check letters. Undefined if it is no CUPS.
 */
export const cupsOf = (identifier: string): string | undefined => {
  const cups = plainForm(identifier, /[\s-]/g)
  return form.test(cups) && hasRightLetters(cups) ? cups : undefined
}

/** The characters that a CUPS of 20 and one of 22 characters have in common: those of the supply point. */
const pointLength = 20

/**
 * The text by which supply points are compared: the first 20 characters of a valid CUPS, without white space and hyphens and
 * in upper case, as the last two name a metering point. Any other identifier as it is.
 */
export const supplyPointKey = (identifier: string): string =>
  cupsOf(identifier)?.slice(0, pointLength) ?? identifier
