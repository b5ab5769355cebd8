import { FAILED } from '../../../codec/codec.js'
import { checkLetterOf, plainForm } from '../../../values/cups.js'
import { below, isRead, itemsOf } from '../../rule.js'
import type { MarketRule } from '../market-pack.js'
import type { EsCode } from './codes.js'

/** The digit of the first letter of a foreigner's number: X, Y or Z. */
const foreignerDigit = (letter: string): string => String('XYZ'.indexOf(letter))

/** The check digit of an organisation's seven digits: every other digit, from the first on, is doubled. */
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
 * Whether a text is a Spanish fiscal code (NIF) with the right check character: of a person, a foreigner, a person without
 * a number of their own, or an organisation. White space, dots, hyphens, case and the prefix ES are ignored.
 */
const isFiscalCode = (text: string): boolean => {
  // The VAT prefix is no part of the code.
  const nif = plainForm(text, /[\s.-]/g).replace(/^ES/, '')
  const letter = nif.charAt(8)
  if (/^\d{8}[A-Z]$/.test(nif)) return letter === checkLetterOf(nif.slice(0, 8))
  if (/^[XYZ]\d{7}[A-Z]$/.test(nif))
    return letter === checkLetterOf(foreignerDigit(nif.charAt(0)) + nif.slice(1, 8))
  if (/^[KLM]\d{7}[A-Z]$/.test(nif)) return letter === checkLetterOf(nif.slice(1, 8))
  return /^[ABCDEFGHJNPQRSUVW]\d{7}[\dA-J]$/.test(nif) && isOrganisation(nif)
}

/** Reports `invalid_fiscal_code` for addresses in any country: a customer's details name no country. */
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
