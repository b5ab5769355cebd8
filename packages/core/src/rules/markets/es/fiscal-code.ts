import { checkLetterOf } from './check-letter.js'
import { plainForm } from './plain-form.js'

/** The digit that the first letter of a foreigner's number stands for: X, Y or Z. */
const foreignerDigit = (letter: string): string => String('XYZ'.indexOf(letter))

/** A code of 11 characters has the VAT prefix ES in front, which is no part of it. */
const withoutPrefix = (nif: string): string =>
  nif.length === 11 && nif.startsWith('ES') ? nif.slice(2) : nif

/** The check digit of an organisation's seven digits: every other digit, from the first on, counts twice. */
const controlOf = (digits: string): number => {
  let sum = 0
  for (let index = 0; index < digits.length; index++) {
    const weighted = Number(digits.charAt(index)) * (index % 2 === 0 ? 2 : 1)
    sum += weighted > 9 ? weighted - 9 : weighted
  }
  return (10 - (sum % 10)) % 10
}

const isOrganisation = (nif: string): boolean => {
  const control = controlOf(nif.slice(1, 8))
  const given = nif.charAt(8)
  return given === String(control) || given === 'JABCDEFGHI'.charAt(control)
}

/**
 * Whether a text is a Spanish fiscal code (NIF) with the right check character: of a person, a foreigner, a person
 * without a number of their own, or an organisation. White space, dots, hyphens, case and the prefix ES do not count.
 */
export const isFiscalCode = (text: string): boolean => {
  const nif = withoutPrefix(plainForm(text, /[\s.-]+/g))
  if (nif.length !== 9) return false
  const letter = nif.charAt(8)
  if (/^\d{8}[A-Z]$/.test(nif)) return letter === checkLetterOf(nif.slice(0, 8))
  if (/^[XYZ]\d{7}[A-Z]$/.test(nif))
    return letter === checkLetterOf(foreignerDigit(nif.charAt(0)) + nif.slice(1, 8))
  if (/^[KLM]\d{7}[A-Z]$/.test(nif)) return letter === checkLetterOf(nif.slice(1, 8))
  return /^[ABCDEFGHJNPQRSUVW]\d{7}[\dA-J]$/.test(nif) && isOrganisation(nif)
}
