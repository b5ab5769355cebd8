import { cupsOf } from '../identifiers/cups.js'
import { copyOf, listAt, set, textAt, type Json } from './json.js'
import { choose, dropped, found, replaced, type Fault } from './fault.js'

export const point = 'supply_addresses.0.supply_points.*'

/** Appends a copy of the first item to a list; returns its path. */
const repeatFirst = (account: Json, path: string | undefined): string | undefined => {
  if (path === undefined) return undefined
  const items = listAt(account, path)
  const [first] = items
  if (first === undefined) return undefined
  items.push(copyOf(first))
  return `${path}.${items.length - 1}`
}

const identifiers: readonly Fault[] = [
  replaced(
    'supply.identifier',
    `${point}.identifier`,
    'ES1234123456789012XY',
    'invalid_supply_point_identifier',
  ),
  dropped('supply.identifier', `${point}.identifier`),
  replaced('supply.identifier', `${point}.distributor_ree_code`, '21', 'invalid_distributor_ree_code'),
  replaced('supply.identifier', `${point}.distributor_ree_code`, '9999', 'distributor_ree_code_mismatch'),
  found('supply', 'distributor_of_other_supply_type', (account, random) => {
    const path = choose(account, random, `${point}.supply_type`)
    if (path === undefined || textAt(account, path) !== 'ELECTRICITY') return undefined
    const holder = path.slice(0, path.lastIndexOf('.'))
    set(account, `${holder}.identifier`, cupsOf('0218', random.below(1_000_000_000)))
    set(account, `${holder}.distributor_ree_code`, '0218')
    return path
  }),
  replaced('supply', `${point}.supply_type`, 'WATER', 'invalid_choice'),
  found('supply', 'duplicate_supply_points_found', (account) => {
    const repeat = repeatFirst(account, 'supply_addresses.0.supply_points')
    return repeat === undefined ? undefined : `${repeat}.identifier`
  }),
]

const items: readonly Fault[] = [
  replaced(
    'supply.items',
    `${point}.billable_items.*.net_amount`,
    9.99,
    'incorrect_billable_item_net_amount',
  ),
  replaced('supply.items', `${point}.billable_items.*.price_per_unit`, 0.123_456_78, 'max_decimal_places'),
  replaced(
    'supply.items',
    `${point}.billable_items.*.interval_end`,
    '2001-01-01',
    'start_date_later_than_end_date',
  ),
  dropped('supply.items', `${point}.billable_items.*.billable_item_type`),
]

const delta = `${point}.readings.*.consumption_delta`

const readings: readonly Fault[] = [
  replaced('supply.readings', delta, '-3.000', 'readings_indicate_negative_consumption'),
  replaced('supply.readings', delta, 412, 'invalid'),
  replaced('supply.readings', delta, '1234567890123', 'max_whole_digits'),
  replaced('supply.readings', delta, '1.2345678', 'max_decimal_places'),
  replaced('supply.readings', delta, `1.${'0'.repeat(64)}`, 'max_string_length'),
  replaced('supply.readings', `${point}.readings.*.source`, 10_000, 'max_value'),
  replaced('supply.readings', `${point}.readings.*.interval_start`, '2024-01-01', 'date'),
  replaced(
    'supply.readings',
    `${point}.readings.*.interval_end`,
    '2001-01-01T00:00:00Z',
    'start_date_later_than_end_date',
  ),
  found('supply.readings', 'reading_intervals_overlap', (account, random) => {
    const repeat = repeatFirst(account, choose(account, random, `${point}.readings`))
    return repeat === undefined ? undefined : `${repeat}.interval_start`
  }),
]

/** Faults in supply points, readings and billable items. */
export const supplyFaults: readonly Fault[] = [...identifiers, ...items, ...readings]
