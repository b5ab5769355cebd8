import { dateOf, firstDayOf, lastDayOf } from '../calendar.js'
import type { SupplyPoint } from './contract.js'

/** The rent of the meter for a month that is not billed yet. */
export const meterRental = (month: number): NonNullable<SupplyPoint['billable_items']>[number] => ({
  net_amount: 0.81,
  billable_item_type: 'METER_RENTAL',
  interval_start: dateOf(firstDayOf(month)),
  interval_end: dateOf(lastDayOf(month)),
  number_of_units: 1,
  price_per_unit: 0.81,
  unit_type: 'PER_ITEM',
})
