import { dateOf, lastDayOf } from '../calendar.js'
import type { Bill } from '../bill.js'
import type { Random } from '../random/random.js'
import { accessTariffsOf } from './access-tariffs.js'
import type { Agreement } from './agreements.js'
import { meterRental } from './billable-items.js'
import type { Contract, SupplyPoint } from './contract.js'
import { readingOf } from './reading.js'

/** A supply point billed up to the end of its last bill, or not yet billed. */
export const supplyPointOf = (
  random: Random,
  contract: Contract,
  agreements: readonly Agreement[],
  bills: readonly Bill[],
): SupplyPoint => {
  const last = bills.at(-1)
  return {
    identifier: contract.cups,
    distributor_ree_code: contract.distributor,
    supply_type: contract.fuel,
    supply_start_date: dateOf(contract.startDay),
    ...(last !== undefined && { last_billed_to_date: dateOf(lastDayOf(last.month)) }),
    atr_tariffs: accessTariffsOf(random, contract),
    agreements,
    readings: bills.map((bill) => readingOf(random, contract, bill)),
    ...(last !== undefined && random.chance(0.6) && { billable_items: [meterRental(last.month + 1)] }),
  }
}
