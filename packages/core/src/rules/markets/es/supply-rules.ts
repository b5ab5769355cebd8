import type { TypeOf } from 'io-ts'
import { FAILED } from '../../../codec/failed.js'
import { isBlank } from '../../../codec/scan-text.js'
import type { supplyAddressEntry } from '../../../payloads/supply-address.js'
import { below, type KeyPath } from '../../key-path.js'
import { isRead, itemsOf, type Readable } from '../../readable.js'
import type { RuleFindings } from '../../rule-findings.js'
import type { MarketRule } from '../market-pack.js'
import { isPostcode } from './postcode.js'
import { supplyPointRules } from './supply-point-rules.js'
import type { EsCode } from './codes.js'

type Entry = Readable<TypeOf<typeof supplyAddressEntry>>

const postcodeRule = (
  { supply_address: address }: Entry,
  entryAt: KeyPath,
  findings: RuleFindings<EsCode>,
): void => {
  if (!isRead(address) || !isRead(address.postal_code)) return
  const postcode = address.postal_code
  if (isBlank(postcode) || isPostcode(postcode)) return
  findings.add('invalid_postcode', below(entryAt, 'supply_address'), 'postal_code')
}

const isSpanish = ({ supply_address: address }: Entry): boolean => isRead(address) && address.country === 'ES'

/** The rules over what is supplied at addresses in Spain; an address elsewhere is left alone. */
export const supplyRules: MarketRule<EsCode> = ({ supply_addresses }, findings) => {
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
