import type { AccountPayload } from '@account-import/core'
import { dateOf, dayOf, firstDayOf, lastDayOf } from './calendar.js'
import { between, chance, digits, pick } from './random.js'

export type SupplyPoint = NonNullable<AccountPayload['supply_addresses']>[number]['supply_points'][number]
export type Agreement = NonNullable<SupplyPoint['agreements']>[number]

/** The facts that a supply point shares with its agreements, bills and statements. */
export type Contract = Readonly<{
  fuel: SupplyPoint['supply_type']
  isBusiness: boolean
  /** Three-phase supply above 15 kW, or a gas tariff of a business. */
  isLarge: boolean
  /** The first day of supply. */
  startDay: number
  /** The months that were billed, in their order. */
  months: readonly number[]
  cups: string
  distributor: string
}>

/** Agreements that follow each other without a gap from the first day of supply; the last one is open. */
export const agreementsOf = (contract: Contract): readonly Agreement[] => {
  const { fuel, isLarge, isBusiness, startDay, months } = contract
  const days = [startDay]
  for (let next = startDay + 365; next < firstDayOf(months.at(-1) ?? 0); next += 365 * between(1, 3))
    days.push(next)
  const kwh = between(14, 45) * (isLarge ? 1000 : 100)
  const watts = isLarge ? between(151, 400) * 100 : pick([2300, 3300, 3450, 4600, 5750, 6900, 9200])
  const electricity = {
    contractual_max_power: [...Array.from({ length: 5 }, () => watts), watts + (isLarge ? 1500 : 0)],
    annual_consumption: String(kwh),
    estimated_monthly_fee_in_cents: Math.round(kwh * 1.6) + between(800, 1500),
    ...(!isLarge && chance(0.06) && { social_bonus_identifier: `BS-2024-${digits(6)}` }),
    atr_type: '01',
  }
  return days.map((day, at) => ({
    tariff_code: `${fuel === 'GAS' ? 'GAS-HOGAR' : 'LUZ-ESTABLE'}-${dateOf(day).slice(0, 4)}`,
    effective_from: dateOf(day),
    ...(at + 1 < days.length && { effective_to: dateOf(days[at + 1] ?? day) }),
    cnae: isBusiness ? '4711' : '9820',
    ...(fuel === 'ELECTRICITY' && electricity),
  }))
}

/** The access tariffs from the first day of supply on, in the names of their time: both supplies got new ones. */
const accessTariffsOf = ({ fuel, isLarge, startDay }: Contract): NonNullable<SupplyPoint['atr_tariffs']> => {
  const [before, since, change] =
    fuel === 'GAS'
      ? ['3.4', pick(['RL.4', 'RL4']), dayOf('2021-10-01')]
      : [isLarge ? '3.0A' : '2.0A', pick(isLarge ? ['3.0TD', '019'] : ['2.0TD', '018']), dayOf('2021-06-01')]
  const newName = { value: since, valid_from: dateOf(Math.max(change, startDay)) }
  return startDay < change ? [{ value: before, valid_from: dateOf(startDay) }, newName] : [newName]
}

/** The instant at which a month begins in Madrid: summer time covers the firsts of April to October. */
const startOfMonth = (month: number): string =>
  `${dateOf(firstDayOf(month) - 1)}T${month % 12 >= 3 && month % 12 <= 9 ? '22' : '23'}:00:00Z`

/** The rent of the meter for a month that is not billed yet. */
const meterRental = (month: number): NonNullable<SupplyPoint['billable_items']>[number] => ({
  net_amount: 0.81,
  billable_item_type: 'METER_RENTAL',
  interval_start: dateOf(firstDayOf(month)),
  interval_end: dateOf(lastDayOf(month)),
  number_of_units: 1,
  price_per_unit: 0.81,
  unit_type: 'PER_ITEM',
})

/** A supply point that is billed up to the end of its last bill. */
export const supplyPointOf = (
  contract: Contract,
  agreements: readonly Agreement[],
  bills: readonly Readonly<{ month: number; kwh: number }>[],
): SupplyPoint => {
  const last = contract.months.at(-1) ?? 0
  const meter_serial_number = `ZIV-${digits(8)}`
  return {
    identifier: contract.cups,
    distributor_ree_code: contract.distributor,
    supply_type: contract.fuel,
    supply_start_date: dateOf(contract.startDay),
    last_billed_to_date: dateOf(lastDayOf(last)),
    atr_tariffs: accessTariffsOf(contract),
    agreements,
    readings: bills.map(({ month, kwh }) => ({
      meter_serial_number,
      interval_start: startOfMonth(month),
      interval_end: startOfMonth(month + 1),
      consumption_delta: `${kwh}.000`,
      source: between(0, 3),
    })),
    ...(chance(0.6) && { billable_items: [meterRental(last + 1)] }),
  }
}
