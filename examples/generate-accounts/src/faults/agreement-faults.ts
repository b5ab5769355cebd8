import { dateOf, dayOf } from '../calendar.js'
import type { Random } from '../random/random.js'
import { at, copyOf, drop, listAt, set, textAt, type Json } from './json.js'
import { choose, dropped, found, replaced, type Fault, type Finding } from './fault.js'
import { point } from './supply-faults.js'

const zone = 'supply.contract'
const agreement = `${point}.agreements.*`

export const shifted = (date: string, days: number): string => dateOf(dayOf(date) + days)

/** The last agreement of some supply point. */
const lastAgreement = (account: Json, random: Random): string | undefined => {
  const path = choose(account, random, `${point}.agreements`)
  return path === undefined ? undefined : `${path}.${listAt(account, path).length - 1}`
}

/** Moves the beginning of a second agreement, which follows the first one without a gap. */
const moveSecond = (days: number, code: 'agreement_dates_overlap' | 'gap_in_agreement_dates'): Fault =>
  found(zone, code, (account, random) => {
    const path = choose(account, random, `${point}.agreements.1.effective_from`)
    if (path === undefined) return undefined
    set(account, path, shifted(textAt(account, path), days))
    return path
  })

const endBeforeStart: Fault = {
  zone,
  code: 'start_date_later_than_end_date',
  put: (account, random): readonly Finding[] => {
    const last = lastAgreement(account, random)
    if (last === undefined) return []
    set(account, `${last}.effective_to`, shifted(textAt(account, `${last}.effective_from`), -1))
    const billedTo = `${last.split('.agreements')[0]}.last_billed_to_date`
    return [
      { attr: `${last}.effective_to`, code: 'start_date_later_than_end_date' },
      { attr: billedTo, code: 'no_agreement_covering_last_billed_to_date' },
    ]
  },
}

const dates: readonly Fault[] = [
  moveSecond(-1, 'agreement_dates_overlap'),
  moveSecond(1, 'gap_in_agreement_dates'),
  endBeforeStart,
  found(zone, 'end_date_means_no_end', (account, random) => {
    const last = lastAgreement(account, random)
    if (last === undefined) return undefined
    set(account, `${last}.effective_to`, '9999-12-31')
    return `${last}.effective_to`
  }),
  found(zone, 'start_date_same_as_end_date', (account, random) => {
    const last = lastAgreement(account, random)
    if (last === undefined) return undefined
    const agreements = listAt(account, last.slice(0, last.lastIndexOf('.')))
    const day = textAt(account, `${last}.effective_from`)
    agreements.push({ tariff_code: 'SIN-EFECTO', effective_from: day, effective_to: day })
    return `${last.slice(0, last.lastIndexOf('.'))}.${agreements.length - 1}.effective_to`
  }),
  found(zone, 'agreement_start_date_before_supply_start_date', (account, random) => {
    const path = choose(account, random, `${point}.agreements.0.effective_from`)
    if (path === undefined) return undefined
    set(account, path, shifted(textAt(account, path), -10))
    return path
  }),
  replaced(zone, `${point}.agreements`, [], 'supply_point_with_no_agreement'),
  dropped(zone, `${point}.agreements`, 'supply_point_with_no_agreement'),
]

const watts = (zoneOf: string, tariffs: readonly string[], values: number[], code: Fault['code']): Fault =>
  found(zoneOf, code, (account, random) => {
    const last = lastAgreement(account, random)
    if (last === undefined || at(account, `${last}.contractual_max_power`) === undefined) return undefined
    const path = `${last.split('.agreements')[0]}.atr_tariffs`
    const inForce = `${path}.${listAt(account, path).length - 1}`
    const holds = textAt(account, `${inForce}.valid_from`) <= textAt(account, `${last}.effective_from`)
    if (!holds || !tariffs.includes(textAt(account, `${inForce}.value`))) return undefined
    set(account, `${last}.contractual_max_power`, [...values])
    return `${last}.contractual_max_power`
  })

const power: readonly Fault[] = [
  // Kilowatts where watts are meant.
  watts(zone, ['2.0TD', '018'], [4, 4, 4, 4, 4, 4], 'contractual_max_power_below_100_watts'),
  watts(
    zone,
    ['2.0TD', '018'],
    [3450, 3450, 3450, 3450, 3450, 15_001],
    'contractual_max_power_over_tariff_limit',
  ),
  watts(
    zone,
    ['3.0TD', '019'],
    [20_000, 19_999, 20_000, 20_000, 20_000, 20_000],
    'contractual_max_power_not_ascending',
  ),
  replaced(
    zone,
    `${agreement}.contractual_max_power`,
    [3450, 3450],
    'contractual_max_power_needs_six_values',
  ),
  replaced(zone, `${agreement}.contractual_max_power.*`, -1, 'min_value'),
  replaced(zone, `${agreement}.contractual_max_power.*`, '3450', 'invalid'),
]

/** The names of tariffs that were in force before those of today. */
const formerTariffs = { ELECTRICITY: '2.0A', GAS: '3.1' } as const

const tariffs: readonly Fault[] = [
  found(zone, 'atr_tariff_outside_its_time', (account, random) => {
    const path = choose(account, random, `${point}.atr_tariffs`)
    if (path === undefined) return undefined
    const last = `${path}.${listAt(account, path).length - 1}.value`
    const isGas = textAt(account, path.replace('atr_tariffs', 'supply_type')) === 'GAS'
    set(account, last, formerTariffs[isGas ? 'GAS' : 'ELECTRICITY'])
    return last
  }),
  replaced(zone, `${point}.atr_tariffs.*.value`, '2.0', 'unknown_atr_tariff'),
  replaced(zone, `${point}.atr_tariffs`, { value: '2.0TD' }, 'not_a_list'),
  found(zone, 'duplicate_atr_tariff_dates', (account, random) => {
    const path = choose(account, random, `${point}.atr_tariffs`)
    if (path === undefined) return undefined
    const items = listAt(account, path)
    items.push(copyOf(items[0]))
    return `${path}.${items.length - 1}.valid_from`
  }),
]

const fields: readonly Fault[] = [
  replaced(zone, `${agreement}.annual_consumption`, '3.100,5', 'invalid_annual_consumption'),
  replaced(zone, `${agreement}.annual_consumption`, '9250500', 'consumption_over_contracted_power'),
  replaced(zone, `${agreement}.cnae`, '98', 'invalid_cnae'),
  dropped(zone, `${agreement}.tariff_code`),
  replaced(zone, `${agreement}.estimated_monthly_fee_in_cents`, 64.5, 'invalid'),
  replaced(zone, `${point}.agreements.0.effective_from`, '2020-01-01T00:00:00Z', 'datetime'),
]

const billedTo = `${point}.last_billed_to_date`

const supplyDates: readonly Fault[] = [
  replaced(zone, billedTo, '2999-12-31', 'date_in_future'),
  {
    zone,
    code: 'last_billed_to_date_before_supply_start_date',
    put: (account, random): readonly Finding[] => {
      const path = choose(account, random, billedTo)
      if (path === undefined) return []
      const start = path.replace('last_billed_to_date', 'supply_start_date')
      set(account, path, shifted(textAt(account, start), -1))
      return [
        { attr: path, code: 'last_billed_to_date_before_supply_start_date' },
        { attr: path, code: 'no_agreement_covering_last_billed_to_date' },
      ]
    },
  },
  {
    zone,
    code: 'future_supply_start_date',
    put: (account, random): readonly Finding[] => {
      const path = choose(account, random, `${point}.supply_start_date`)
      if (path === undefined) return []
      set(account, path, '2999-01-01')
      const holder = path.slice(0, path.lastIndexOf('.'))
      drop(account, `${holder}.last_billed_to_date`)
      return [
        { attr: path, code: 'future_supply_start_date' },
        ...listAt(account, `${holder}.agreements`).map((_, index): Finding => ({
          attr: `${holder}.agreements.${index}.effective_from`,
          code: 'agreement_start_date_before_supply_start_date',
        })),
      ]
    },
  },
]

/** Faults in agreements, access tariffs and the dates that they are compared with. */
export const agreementFaults: readonly Fault[] = [...dates, ...power, ...tariffs, ...fields, ...supplyDates]
