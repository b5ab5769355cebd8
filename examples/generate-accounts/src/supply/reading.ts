import type { Bill } from '../bill.js'
import { startOfMonthInMadrid } from '../calendar.js'
import type { Random } from '../random/random.js'
import type { Contract, SupplyPoint } from './contract.js'

export type Reading = NonNullable<SupplyPoint['readings']>[number]

/** The meter reading in the month of a bill; the source is the way in which it was read. */
export const readingOf = (random: Random, { meter }: Contract, { month, kwh }: Bill): Reading => ({
  meter_serial_number: meter,
  interval_start: startOfMonthInMadrid(month),
  interval_end: startOfMonthInMadrid(month + 1),
  consumption_delta: `${kwh}.000`,
  source: random.below(4),
})
