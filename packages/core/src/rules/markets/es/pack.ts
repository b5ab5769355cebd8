import type { TypeOf } from 'io-ts'
import { FAILED } from '../../../codec/codec.js'
import { isBlank } from '../../../codec/scalars.js'
import type { supplyAddressEntry } from '../../../payloads/supply.js'
import { cupsOf } from '../../../values/cups.js'
import { below, isRead, itemsOf, type KeyPath, type Readable, type RuleFindings } from '../../rule.js'
import { rulesVersion } from '../../version.js'
import { type MarketPack, marketPack, type MarketRule } from '../market-pack.js'
import { accessTariffs } from './access-tariffs.js'
import { type SupplyPoint, type TariffOf, tariffRule, tariffsIn } from './access-tariff-rules.js'
import { codes, type EsCode } from './codes.js'
import { distributors } from './distributors.js'
import { fiscalCodeRule } from './fiscal-code.js'
import { endRule, periodRule } from './periods.js'
import { electricityRules } from './power.js'
import type { SpanishTables } from './tables.js'

/** The tables of this package. */
export const spanishTables: SpanishTables = { accessTariffs, distributors }

/** Codes of distributors and of economic activities (CNAE). */
const fourDigits = /^\d{4}$/

/** A Spanish postal code: five digits, of which the first two are a province, 01 to 52. */
const postcodeForm = /^(?:0[1-9]|[1-4]\d|5[0-2])\d{3}$/

/** The tables in the form in which the rules search them. */
type Lookup = Readonly<{
  tariffOf: TariffOf
  /** Whether a code and a CUPS are of one company. */
  isSameCompany: (cups: string, distributor: string) => boolean
  /** Whether a distributor with this code does not supply this kind of energy. */
  isOfOther: (supplyType: 'GAS' | 'ELECTRICITY', distributor: string) => boolean
}>

/** The four digits of the distributor inside a CUPS. */
const distributorOf = (cups: string): string => cups.slice(2, 6)

/** Codes below it are of no distributor of gas. */
const firstOfGas = '0201'

const lookupIn = ({ accessTariffs: tariffs, distributors: table }: SpanishTables): Lookup => {
  const gas = new Set(table.gas)
  const electricity = new Set(table.electricity)
  const both = new Set(table.both)
  const regional = (cups: string, distributor: string): boolean =>
    table.regional.some((each) => each.distributor === distributor && cups.startsWith(each.prefix, 2))
  return {
    tariffOf: tariffsIn(tariffs),
    isSameCompany: (cups, distributor) => distributorOf(cups) === distributor || regional(cups, distributor),
    isOfOther: (supplyType, distributor) => {
      if (both.has(distributor)) return false
      if (supplyType === 'ELECTRICITY') return gas.has(distributor)
      return distributor < firstOfGas || electricity.has(distributor)
    },
  }
}

const identifierRule = (
  point: SupplyPoint,
  { isSameCompany, isOfOther }: Lookup,
  at: KeyPath,
  findings: RuleFindings<EsCode>,
): void => {
  const { identifier, distributor_ree_code: given, supply_type } = point
  const cups = isRead(identifier) ? cupsOf(identifier) : undefined
  if (isRead(identifier) && cups === undefined)
    findings.add('invalid_supply_point_identifier', at, 'identifier')
  const code = isRead(given) && fourDigits.test(given) ? given : undefined
  if (isRead(given) && code === undefined)
    findings.add('invalid_distributor_ree_code', at, 'distributor_ree_code')
  if (cups !== undefined && code !== undefined && !isSameCompany(cups, code))
    findings.add('distributor_ree_code_mismatch', at, 'distributor_ree_code')
  const distributor = cups === undefined ? code : distributorOf(cups)
  if (distributor !== undefined && isRead(supply_type) && isOfOther(supply_type, distributor))
    findings.add('distributor_of_other_supply_type', at, 'supply_type')
}

const cnaeRule = ({ agreements }: SupplyPoint, at: KeyPath, findings: RuleFindings<EsCode>): void => {
  for (const [index, agreement] of itemsOf(agreements).entries())
    if (isRead(agreement) && isRead(agreement.cnae) && !fourDigits.test(agreement.cnae))
      findings.add('invalid_cnae', below(below(at, 'agreements'), index), 'cnae')
}

/** The rules over one supply point in Spain: identifier, distributor, access tariffs, activity codes, power. */
const supplyPointRules = (
  point: SupplyPoint,
  lookup: Lookup,
  at: KeyPath,
  findings: RuleFindings<EsCode>,
): void => {
  identifierRule(point, lookup, at, findings)
  tariffRule(point, lookup.tariffOf, at, findings)
  cnaeRule(point, at, findings)
  if (point.supply_type === 'ELECTRICITY') electricityRules(point, lookup.tariffOf, at, findings)
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
const supplyRules =
  (lookup: Lookup): MarketRule<EsCode> =>
  ({ supply_addresses }, findings) => {
    const at = below(undefined, 'supply_addresses')
    itemsOf(supply_addresses).forEach((entry, index) => {
      if (entry === FAILED || !isSpanish(entry)) return
      const entryAt = below(at, index)
      postcodeRule(entry, entryAt, findings)
      const pointsAt = below(entryAt, 'supply_points')
      if (findings.isPast(pointsAt)) return
      itemsOf(entry.supply_points).forEach((point, pointIndex) => {
        if (point !== FAILED) supplyPointRules(point, lookup, below(pointsAt, pointIndex), findings)
      })
    })
  }

/**
 * Checks of the Spanish market by tables of your own in place of those of this package. `version`: differs for other tables;
 * without it, staged data is validated again before an account is created from it.
 */
export const spanishMarket = ({
  version,
  ...tables
}: Partial<SpanishTables> & Readonly<{ version?: string }>): MarketPack =>
  marketPack({
    market: 'ES',
    ...(version !== undefined && { version }),
    codes,
    rules: [fiscalCodeRule, supplyRules(lookupIn({ ...spanishTables, ...tables })), periodRule, endRule],
  })

/** Checks of the Spanish market. */
export const es = spanishMarket({ version: rulesVersion })
