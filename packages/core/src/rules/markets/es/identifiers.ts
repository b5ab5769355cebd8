import { type CatalogueEntry, changeableWarning } from '../../../catalogue/entry.js'
import { FAILED } from '../../../codec/codec.js'
import { below, isRead, itemsOf } from '../../rule.js'
import type { MarketRule } from '../market-pack.js'

/** Checks of Spanish identifiers, codes and access tariffs. */
export const codes = {
  invalid_supply_point_identifier: changeableWarning(
    'This is not a valid CUPS. Check its length, digits and check letters.',
  ),
  invalid_distributor_ree_code: changeableWarning(
    'The distributor code should have four digits. Keep leading zeros.',
  ),
  distributor_ree_code_mismatch: changeableWarning(
    'The distributor code differs from the one inside the CUPS. Check both; after a merger this can be right.',
  ),
  invalid_postcode: changeableWarning(
    'A Spanish postal code has five digits and begins with 01 to 52. Keep leading zeros.',
  ),
  invalid_cnae: changeableWarning(
    'The activity code should have four digits. Correct it; 9820 stands for households.',
  ),
  unknown_atr_tariff: changeableWarning(
    'This access tariff is not known for the supply type. Check its spelling.',
  ),
  contractual_max_power_over_tariff_limit: changeableWarning(
    'This access tariff allows at most 15 000 watts in each period. Check the tariff and the power.',
  ),
  contractual_max_power_not_ascending: changeableWarning(
    'With this access tariff no period may have less power than the one before. Check the order of the values.',
  ),
  invalid_fiscal_code: changeableWarning(
    'This is not a valid Spanish fiscal code. Check its letters and digits.',
  ),
} satisfies Record<string, CatalogueEntry>

/** A code of the Spanish market. */
export type EsCode = keyof typeof codes

/** Most identifiers are sent like this, with nothing to remove or to change. */
const plain = /^[0-9A-Z]*$/

/**
 * The text in upper case and without the characters that are `ignored` (a global pattern). Letters outside of ASCII
 * stay as they are: some of them, such as the long s, would otherwise turn into letters that identifiers are made of.
 */
export const plainForm = (text: string, ignored: RegExp): string =>
  plain.test(text) ? text : text.replace(ignored, '').replace(/[a-z]/g, (letter) => letter.toUpperCase())

/** The 23 check letters of Spanish identifiers, by the remainder of a division by 23. */
const alphabet = 'TRWAGMYFPDXBNJZSQVHLCKE'

/** The check letter of a remainder, 0 to 22. */
const checkLetter = (remainder: number): string => alphabet.charAt(remainder)

/** The check letter of the digits of a personal number, at most 8 of them. */
const checkLetterOf = (digits: string): string => checkLetter(Number(digits) % alphabet.length)

/** Country, distributor and number, check letters, and for some points a digit and the kind of metering point. */
const form = /^ES\d{16}[TRWAGMYFPDXBNJZSQVHLCKE]{2}(?:\d[FPRCXYZ])?$/

/** The 16 digits modulo 529. Two digits at a time, as a number of 16 digits need not be exact as a double. */
const remainderOf = (cups: string): number => {
  let remainder = 0
  for (let index = 2; index < 18; index += 2)
    remainder = (remainder * 100 + Number(cups.slice(index, index + 2))) % 529
  return remainder
}

/**
 * The CUPS that a supply point identifier is, without white space and hyphens and in upper case: 20 or 22
 * characters with the right check letters. Undefined if it is no CUPS.
 */
export const cupsOf = (identifier: string): string | undefined => {
  const cups = plainForm(identifier, /[\s-]/g)
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

/** The digit that the first letter of a foreigner's number stands for: X, Y or Z. */
const foreignerDigit = (letter: string): string => String('XYZ'.indexOf(letter))

/** The check digit of an organisation's seven digits: every other digit, from the first on, counts twice. */
const controlOf = (digits: string): number => {
  const weighted = Array.from(digits, (digit, index) => Number(digit) * (index % 2 === 0 ? 2 : 1))
  const sum = weighted.reduce((total, each) => total + (each > 9 ? each - 9 : each), 0)
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
const isFiscalCode = (text: string): boolean => {
  // The VAT prefix is no part of it.
  const nif = plainForm(text, /[\s.-]/g).replace(/^ES/, '')
  const letter = nif.charAt(8)
  if (/^\d{8}[A-Z]$/.test(nif)) return letter === checkLetterOf(nif.slice(0, 8))
  if (/^[XYZ]\d{7}[A-Z]$/.test(nif))
    return letter === checkLetterOf(foreignerDigit(nif.charAt(0)) + nif.slice(1, 8))
  if (/^[KLM]\d{7}[A-Z]$/.test(nif)) return letter === checkLetterOf(nif.slice(1, 8))
  return /^[ABCDEFGHJNPQRSUVW]\d{7}[\dA-J]$/.test(nif) && isOrganisation(nif)
}

/** Reports `invalid_fiscal_code`, wherever the account is supplied: a customer's details name no country. */
export const fiscalCodeRule: MarketRule<EsCode> = ({ customers }, findings) => {
  itemsOf(customers).forEach((customer, index) => {
    if (customer === FAILED) return
    itemsOf(customer.user_details).forEach((detail, detailIndex) => {
      if (detail === FAILED || detail.namespace !== 'fiscal_code') return
      if (!isRead(detail.value) || isFiscalCode(detail.value)) return
      const at = below(below(below(below(undefined, 'customers'), index), 'user_details'), detailIndex)
      findings.add('invalid_fiscal_code', at, 'value')
    })
  })
}
