import { dateOf, dayOf } from '../calendar.js'
import { between } from '../random.js'
import { cupsOf } from '../identifiers.js'
import { changed, repeated, replaced, written, type Fault } from './fault.js'
import { listAt, push, set, textAt, type Json } from './json.js'

const point = 'supply_addresses.0.supply_points.*'
const agreement = `${point}.agreements.last`
const delta = `${point}.readings.*.consumption_delta`
const item = `${point}.billable_items.*`
const power = `${agreement}.contractual_max_power`
const billedTo = 'last_billed_to_date'
const EARLY = 'agreement_start_date_before_supply_start_date'
const UNCOVERED = 'no_agreement_covering_last_billed_to_date'

/** The path of a field beside or above: of the object that holds the last `name` of the path. */
const beside = (path: string, name: string, field: string): string =>
  `${path.slice(0, path.lastIndexOf(`.${name}`))}.${field}`

/** Moves a date by so many days. */
export const shift = (account: Json, path: string, days: number): string =>
  set(account, path, dateOf(dayOf(textAt(account, path)) + days))

const identifiers: readonly Fault[] = [
  replaced('supply.identifier', 'invalid_supply_point_identifier', `${point}.identifier`, 'ES1234XY'),
  replaced('supply.identifier', 'required', `${point}.identifier`),
  replaced('supply.identifier', 'invalid_distributor_ree_code', `${point}.distributor_ree_code`, '21'),
  replaced('supply.identifier', 'distributor_ree_code_mismatch', `${point}.distributor_ree_code`, '9999'),
  changed('supply', 'distributor_of_other_supply_type', `${point}.supply_type`, (account, path) => {
    if (textAt(account, path) !== 'ELECTRICITY') return undefined
    set(account, beside(path, 'supply_type', 'identifier'), cupsOf('0218', between(0, 999_999_999)))
    set(account, beside(path, 'supply_type', 'distributor_ree_code'), '0218')
    return path
  }),
  replaced('supply', 'invalid_choice', `${point}.supply_type`, 'WATER'),
  repeated('supply', 'duplicate_supply_points_found', 'supply_addresses.0.supply_points', 'identifier'),
  replaced('supply.items', 'incorrect_billable_item_net_amount', `${item}.net_amount`, 9.99),
  replaced('supply.items', 'max_decimal_places', `${item}.price_per_unit`, 0.123_456_78),
  replaced('supply.items', 'start_date_later_than_end_date', `${item}.interval_end`, '2001-01-01'),
  replaced('supply.readings', 'readings_indicate_negative_consumption', delta, '-3.000'),
  replaced('supply.readings', 'invalid', delta, 412),
  replaced('supply.readings', 'max_whole_digits', delta, '1234567890123'),
  replaced('supply.readings', 'max_decimal_places', delta, '1.2345678'),
  replaced('supply.readings', 'max_string_length', delta, `1.${'0'.repeat(64)}`),
  replaced('supply.readings', 'max_value', `${point}.readings.*.source`, 10_000),
  repeated('supply.readings', 'reading_intervals_overlap', `${point}.readings`, 'interval_start'),
]

const contract = 'supply.contract'

const flat = (each: number): number[] => Array.from({ length: 6 }, () => each)

/** Contracted watts of a last agreement that is under one of the access tariffs from its first day on. */
const watts = (code: Fault['code'], tariffs: readonly string[], values: readonly number[]): Fault =>
  changed(contract, code, power, (account, path) => {
    const list = beside(path, 'agreements', 'atr_tariffs')
    const last = `${list}.${listAt(account, list).length - 1}`
    const begins = textAt(account, beside(path, 'contractual_max_power', 'effective_from'))
    const holds =
      textAt(account, `${last}.valid_from`) <= begins && tariffs.includes(textAt(account, `${last}.value`))
    return holds ? set(account, path, [...values]) : undefined
  })

/** Moves the beginning of an agreement by so many days. */
const begins = (at: number, days: number, code: Fault['code']): Fault =>
  changed(contract, code, `${point}.agreements.${at}.effective_from`, (account, path) =>
    shift(account, path, days),
  )

const dates: readonly Fault[] = [
  begins(1, -1, 'agreement_dates_overlap'),
  begins(1, 1, 'gap_in_agreement_dates'),
  begins(0, -10, EARLY),
  changed(contract, 'start_date_later_than_end_date', agreement, (account, path) => {
    set(account, `${path}.effective_to`, textAt(account, `${path}.effective_from`))
    return [
      [shift(account, `${path}.effective_to`, -1), 'start_date_later_than_end_date'],
      [beside(path, 'agreements', billedTo), UNCOVERED],
    ]
  }),
  written(contract, 'end_date_means_no_end', agreement, { effective_to: '9999-12-31' }),
  changed(contract, 'start_date_same_as_end_date', agreement, (account, path) => {
    const day = textAt(account, `${path}.effective_from`)
    const item = { tariff_code: 'SIN-EFECTO', effective_from: day, effective_to: day }
    return `${push(account, beside(path, 'agreements', 'agreements'), item)}.effective_to`
  }),
  replaced(contract, 'supply_point_with_no_agreement', `${point}.agreements`, []),
  replaced(contract, 'date_in_future', `${point}.${billedTo}`, '2999-12-31'),
  changed(contract, `${billedTo}_before_supply_start_date`, `${point}.${billedTo}`, (account, path) => {
    set(account, path, textAt(account, beside(path, billedTo, 'supply_start_date')))
    shift(account, path, -1)
    return [
      [path, `${billedTo}_before_supply_start_date`],
      [path, UNCOVERED],
    ]
  }),
  changed(contract, 'future_supply_start_date', `${point}.supply_start_date`, (account, path) => {
    set(account, path, '2999-01-01')
    set(account, beside(path, 'supply_start_date', billedTo), undefined)
    const agreements = beside(path, 'supply_start_date', 'agreements')
    const early = [...listAt(account, agreements).keys()].map((at) => `${agreements}.${at}.effective_from`)
    return [[path, 'future_supply_start_date'], ...early.map((attr) => [attr, EARLY] as const)]
  }),
]

const terms: readonly Fault[] = [
  // Kilowatts where watts are meant.
  watts('contractual_max_power_below_100_watts', ['2.0TD', '018'], flat(4)),
  watts('contractual_max_power_over_tariff_limit', ['2.0TD', '018'], [...flat(3450).slice(1), 15_001]),
  watts('contractual_max_power_not_ascending', ['3.0TD', '019'], [20_000, 19_999, ...flat(20_000).slice(2)]),
  replaced(contract, 'contractual_max_power_needs_six_values', power, flat(3450).slice(4)),
  replaced(contract, 'min_value', `${power}.*`, -1),
  changed(contract, 'atr_tariff_outside_its_time', `${point}.atr_tariffs.last.value`, (account, path) =>
    set(
      account,
      path,
      textAt(account, beside(path, 'atr_tariffs', 'supply_type')) === 'GAS' ? '3.1' : '2.0A',
    ),
  ),
  replaced(contract, 'unknown_atr_tariff', `${point}.atr_tariffs.*.value`, '2.0'),
  repeated(contract, 'duplicate_atr_tariff_dates', `${point}.atr_tariffs`, 'valid_from'),
  replaced(contract, 'invalid_annual_consumption', `${agreement}.annual_consumption`, '3.100,5'),
  replaced(contract, 'consumption_over_contracted_power', `${agreement}.annual_consumption`, '9250500'),
  replaced(contract, 'invalid_cnae', `${agreement}.cnae`, '98'),
  replaced(contract, 'required', `${agreement}.tariff_code`),
]

/** Faults in supply points, agreements, access tariffs and readings. */
export const supplyFaults: readonly Fault[] = [...identifiers, ...dates, ...terms]
