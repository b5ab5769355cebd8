import type { TypeOf } from 'io-ts'
import { type CatalogueEntry, changeableWarning } from '../../../catalogue/entry.js'
import { FAILED, type Failed } from '../../../codec/codec.js'
import { isBlank } from '../../../codec/scalars.js'
import type { agreement, supplyAddressEntry, supplyPoint, supplyType } from '../../../payloads/supply.js'
import { compareCodePoints } from '../../../values/compare.js'
import { checkLetterOf, cupsOf, plainForm } from '../../../values/cups.js'
import { OPEN_END } from '../../building-blocks.js'
import { below, isRead, itemsOf, type KeyPath, type Readable, type RuleFindings } from '../../rule.js'
import { rulesVersion } from '../../version.js'
import { marketPack, type MarketRule } from '../market-pack.js'

/** Checks of Spanish identifiers, codes and access tariffs. */
const codes = {
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
type EsCode = keyof typeof codes

/** The four digits of the distributor inside a CUPS. */
const distributorOf = (cups: string): string => cups.slice(2, 6)

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
const fiscalCodeRule: MarketRule<EsCode> = ({ customers }, findings) => {
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

/** Codes of distributors and of economic activities (CNAE). */
const fourDigits = /^\d{4}$/

/** A Spanish postal code: five digits, of which the first two are a province, 01 to 52. */
const postcodeForm = /^(?:0[1-9]|[1-4]\d|5[0-2])\d{3}$/

/** A supply point of a payload, after its codec. */
type SupplyPoint = Readable<TypeOf<typeof supplyPoint>>

/** `R1` to `R9` as ('R', 1, 9). */
const numbered = (prefix: string, first: number, last: number, digits = 1): readonly string[] =>
  Array.from({ length: last - first + 1 }, (_, index) => prefix + String(first + index).padStart(digits, '0'))

const words = (text: string): readonly string[] => text.split(' ')

type SupplyType = TypeOf<typeof supplyType>

/** Access tariffs by supply type: present names, the codes in the industry's files, and former names. */
const known: Readonly<Record<SupplyType, ReadonlySet<string>>> = {
  ELECTRICITY: new Set([
    ...words('2.0TD 3.0TD 6.1TD 6.2TD 6.3TD 6.4TD 3.0TDVE 6.1TDVE 6.2TDVE'),
    ...numbered('0', 1, 29, 2),
    ...words('2.0A 2.0DHA 2.0DHS 2.1A 2.1DHA 2.1DHS 3.0A 3.1A 6.1A 6.1B 6.2 6.3 6.4 6.5'),
  ]),
  GAS: new Set([
    ...numbered('RL.', 1, 11),
    ...numbered('RL', 1, 11),
    ...words('L0 L1'),
    ...numbered('R', 1, 9),
    ...numbered('S', 1, 8),
    ...numbered('A', 5, 7),
    ...numbered('B', 5, 7),
    ...numbered('1.', 1, 9),
    ...numbered('2.', 1, 9),
    ...numbered('3.', 1, 5),
  ]),
}

/** Whether there is, or was, such an access tariff for the supply type; white space and case are ignored. */
const isAtrTariff = (supplyType: SupplyType, text: string): boolean =>
  known[supplyType].has(text) || known[supplyType].has(plainForm(text, /\s/g))

/** The requirement of a tariff for the contracted power in each period: a limit, or no less than in the period before. */
type PowerCondition = 'limited' | 'ascending'

const conditions: ReadonlyMap<string, PowerCondition> = new Map([
  ...words('2.0TD 018').map((name) => [name, 'limited'] as const),
  ...words('3.0TD 6.1TD 6.2TD 6.3TD 6.4TD').map((name) => [name, 'ascending'] as const),
  ...words('019 020 021 022 023').map((name) => [name, 'ascending'] as const),
])

/** Undefined if the tariff has no requirement for the power, or is unknown. */
const powerConditionOf = (text: string): PowerCondition | undefined =>
  conditions.get(text) ?? conditions.get(plainForm(text, /\s/g))

type Tariff = Readonly<{ value: string; validFrom: string }>

/** All access tariffs of the supply point by their first day; undefined if one could not be read. */
const historyOf = ({ atr_tariffs }: SupplyPoint): readonly Tariff[] | undefined => {
  if (!isRead(atr_tariffs)) return undefined
  const history: Tariff[] = []
  for (const tariff of atr_tariffs) {
    if (tariff === FAILED || !isRead(tariff.value) || !isRead(tariff.valid_from)) return undefined
    history.push({ value: tariff.value, validFrom: tariff.valid_from })
  }
  // If several tariffs begin on one day, the first in the list applies. The search takes the last of equals, so the list is
  // reversed, and the stable sort keeps the reversed order of equals.
  return history.reverse().sort((a, b) => compareCodePoints(a.validFrom, b.validFrom))
}

/**
 * The number of tariffs, in the order of their first days, that have begun on a day. A binary search; indexes past the last
 * tariff count as not begun.
 */
const begunOn = (day: string, history: readonly Tariff[]): number => {
  let begun = 0
  for (let step = 2 ** Math.ceil(Math.log2(history.length + 1)); step >= 1; step /= 2)
    if ((history[begun + step - 1]?.validFrom ?? OPEN_END) <= day) begun += step
  return begun
}

/**
 * Returns a function that finds the access tariff of a supply point, as sent, in force on a day: that with the latest
 * `valid_from` not after the day. Undefined if none has begun, or if one could not be read. The first call sorts the
 * tariffs.
 */
const atrTariffInForce = (point: SupplyPoint): ((day: string) => string | undefined) => {
  let history: readonly Tariff[] | undefined
  return (day) => {
    history ??= historyOf(point) ?? []
    return history[begunOn(day, history) - 1]?.value
  }
}

/** The most power in each period under the access tariff 2.0TD, in watts. */
const powerLimit = 15_000

const periods = 6

const sixValues = (power: readonly (number | Failed)[] | Failed | undefined): readonly number[] | undefined =>
  isRead(power) && power.length === periods && areRead(power) ? power : undefined

const areRead = (power: readonly (number | Failed)[]): power is readonly number[] => {
  for (const watts of power) if (!isRead(watts)) return false
  return true
}

const isOverLimit = (power: readonly number[]): boolean => {
  for (const watts of power) if (watts > powerLimit) return true
  return false
}

const isAscending = (power: readonly number[]): boolean => {
  let before = 0
  for (const watts of power) {
    if (watts < before) return false
    before = watts
  }
  return true
}

/** The rules over the contracted power of an electricity agreement, by the tariff in force at its start. */
const powerRules = (
  { effective_from, contractual_max_power }: Readable<TypeOf<typeof agreement>>,
  tariffOn: (day: string) => string | undefined,
  at: KeyPath,
  findings: RuleFindings<EsCode>,
): void => {
  const power = sixValues(contractual_max_power)
  if (power === undefined || !isRead(effective_from)) return
  const condition = powerConditionOf(tariffOn(effective_from) ?? '')
  if (condition === 'limited' && isOverLimit(power))
    findings.add('contractual_max_power_over_tariff_limit', at, 'contractual_max_power')
  if (condition === 'ascending' && !isAscending(power))
    findings.add('contractual_max_power_not_ascending', at, 'contractual_max_power')
}

const identifierRule = (point: SupplyPoint, at: KeyPath, findings: RuleFindings<EsCode>): void => {
  const { identifier, distributor_ree_code: distributor } = point
  const cups = isRead(identifier) ? cupsOf(identifier) : undefined
  if (isRead(identifier) && cups === undefined)
    findings.add('invalid_supply_point_identifier', at, 'identifier')
  if (!isRead(distributor)) return
  if (!fourDigits.test(distributor)) findings.add('invalid_distributor_ree_code', at, 'distributor_ree_code')
  else if (cups !== undefined && distributorOf(cups) !== distributor)
    findings.add('distributor_ree_code_mismatch', at, 'distributor_ree_code')
}

const tariffRule = (
  { supply_type, atr_tariffs }: SupplyPoint,
  at: KeyPath,
  findings: RuleFindings<EsCode>,
): void => {
  if (!isRead(supply_type)) return
  for (const [index, tariff] of itemsOf(atr_tariffs).entries()) {
    if (!isRead(tariff) || !isRead(tariff.value) || isAtrTariff(supply_type, tariff.value)) continue
    findings.add('unknown_atr_tariff', below(below(at, 'atr_tariffs'), index), 'value')
  }
}

const agreementRules = (point: SupplyPoint, at: KeyPath, findings: RuleFindings<EsCode>): void => {
  const tariffOn = atrTariffInForce(point)
  for (const [index, agreement] of itemsOf(point.agreements).entries()) {
    if (!isRead(agreement)) continue
    const agreementAt = below(below(at, 'agreements'), index)
    if (isRead(agreement.cnae) && !fourDigits.test(agreement.cnae))
      findings.add('invalid_cnae', agreementAt, 'cnae')
    if (point.supply_type === 'ELECTRICITY') powerRules(agreement, tariffOn, agreementAt, findings)
  }
}

/** The rules over one supply point in Spain: identifier, distributor, access tariffs, activity codes, power. */
const supplyPointRules = (point: SupplyPoint, at: KeyPath, findings: RuleFindings<EsCode>): void => {
  identifierRule(point, at, findings)
  tariffRule(point, at, findings)
  agreementRules(point, at, findings)
}

type Entry = Readable<TypeOf<typeof supplyAddressEntry>>

const postcodeRule = (
  { supply_address: address }: Entry,
  entryAt: KeyPath,
  findings: RuleFindings<EsCode>,
): void => {
  if (!isRead(address) || !isRead(address.postal_code)) return
  const postcode = address.postal_code
  if (isBlank(postcode) || postcodeForm.test(postcode)) return
  findings.add('invalid_postcode', below(entryAt, 'supply_address'), 'postal_code')
}

const isSpanish = ({ supply_address: address }: Entry): boolean => isRead(address) && address.country === 'ES'

/** The rules over supply addresses in Spain; other addresses are not checked. */
const supplyRules: MarketRule<EsCode> = ({ supply_addresses }, findings) => {
  const at = below(undefined, 'supply_addresses')
  itemsOf(supply_addresses).forEach((entry, index) => {
    if (entry === FAILED || !isSpanish(entry)) return
    const entryAt = below(at, index)
    postcodeRule(entry, entryAt, findings)
    const pointsAt = below(entryAt, 'supply_points')
    if (findings.isPast(pointsAt)) return
    itemsOf(entry.supply_points).forEach((point, pointIndex) => {
      if (point !== FAILED) supplyPointRules(point, below(pointsAt, pointIndex), findings)
    })
  })
}

/** Checks of the Spanish market. */
export const es = marketPack({
  market: 'ES',
  version: rulesVersion,
  codes,
  rules: [fiscalCodeRule, supplyRules],
})
