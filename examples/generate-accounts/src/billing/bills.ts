import type { Random } from '../random/random.js'
import type { Contract } from '../supply/contract.js'
import type { Bill } from '../bill.js'
import { averageMonth, consumptionIn } from './consumption.js'
import { linesOf } from './line-items.js'
import { tariffOf } from './tariff.js'
import { taxesOf } from './tax-items.js'

/** One bill for each month of the contract; the register of the meter goes on from bill to bill. */
export const billsOf = (random: Random, contract: Contract): readonly Bill[] => {
  const tariff = tariffOf(random, contract)
  const average = averageMonth(random, contract)
  let register = random.between(1000, 90_000)
  return contract.months.map((month) => {
    const kwh = consumptionIn(random, contract, month, average)
    const { lines, cents: netCents } = linesOf(tariff, month, kwh, register)
    const { taxes, cents: taxCents } = taxesOf(contract.fuel, netCents, kwh)
    register += kwh
    return { month, kwh, lines, taxes, cents: netCents + taxCents }
  })
}
