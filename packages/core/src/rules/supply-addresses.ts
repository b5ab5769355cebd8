import type { TypeOf } from 'io-ts'
import { FAILED } from '../codec/failed.js'
import type { supplyAddressEntry } from '../payloads/supply-address.js'
import { addressKey } from './address-key.js'
import { allOf, each, within } from './combine.js'
import { below } from './key-path.js'
import { isRead, itemsOf, type Readable, type ReadList } from './readable.js'
import { distinct, reportRepeats, type Distinction } from './repeats.js'
import type { AccountRule, ListRule, ObjectRule } from './rule.js'
import { supplyPointRules } from './supply-points.js'

type Entry = Readable<TypeOf<typeof supplyAddressEntry>>

const somePoints: ObjectRule<Entry> = ({ supply_points }, at, findings) => {
  if (isRead(supply_points) && supply_points.length === 0)
    findings.add('supply_address_without_supply_points', at, 'supply_points')
}

/** An identifier as it is compared: without white space and hyphens, in upper case. */
const comparable = (text: string): string =>
  /^[0-9A-Z]*$/.test(text) ? text : text.replace(/[\s-]+/g, '').toUpperCase()

const identifier: Distinction<Readable<{ identifier: string }>> = {
  code: 'duplicate_supply_points_found',
  field: 'identifier',
  keyOf: (point) => (isRead(point.identifier) ? comparable(point.identifier) : undefined),
}

/** Whether the account has at most one supply point, as most accounts have: then nothing has to be compared. */
const isAtMostOne = (entries: ReadList<Entry>): boolean => {
  let count = 0
  for (const entry of itemsOf(entries)) if (entry !== FAILED) count += itemsOf(entry.supply_points).length
  return count < 2
}

const distinctSupplyPoints: ListRule<Entry> = (entries, at, findings) => {
  if (isAtMostOne(entries)) return
  const seen = new Set<string>()
  each<Entry>(({ supply_points }, path) =>
    reportRepeats(supply_points, below(path, 'supply_points'), findings, identifier, seen),
  )(entries, at, findings)
}

const distinctAddresses = distinct<Entry>({
  code: 'duplicate_supply_addresses_found',
  field: 'supply_address',
  keyOf: ({ supply_address }) => (isRead(supply_address) ? addressKey(supply_address) : undefined),
})

/** The rules over the supply addresses of an account. */
export const supplyAddressRules = allOf<ReadList<Entry>>(
  distinctAddresses,
  distinctSupplyPoints,
  each(somePoints, within('supply_points', supplyPointRules)),
)

/** An account with an unknown occupier has one supply address. */
export const oneOccupierAddress: AccountRule = ({ supply_addresses, unknown_occupier }, findings) => {
  if (unknown_occupier === true && isRead(supply_addresses) && supply_addresses.length > 1)
    findings.add('occupier_account_with_multiple_supply_addresses', undefined, 'supply_addresses')
}
