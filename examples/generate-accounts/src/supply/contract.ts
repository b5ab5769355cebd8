import type { AccountPayload } from '@account-import/core'
import { cupsOf } from '../identifiers/cups.js'
import type { Address } from '../places/address.js'
import type { Random } from '../random/random.js'

type Entry = NonNullable<AccountPayload['supply_addresses']>[number]
export type SupplyPoint = Entry['supply_points'][number]
export type Fuel = SupplyPoint['supply_type']

/** The facts that one supply point shares with its readings, agreements, bills and statements. */
export type Contract = Readonly<{
  fuel: Fuel
  isBusiness: boolean
  /** Three-phase supply above 15 kW, or a gas tariff of a business. */
  isLarge: boolean
  /** The first day of supply. */
  startDay: number
  /** The months that were billed, in their order. */
  months: readonly number[]
  cups: string
  distributor: string
  meter: string
  /** Different for each supply point of the account; ids of bills and transactions hold it. */
  label: string
}>

export type ContractPlan = Readonly<{
  fuel: Fuel
  isBusiness: boolean
  address: Address
  startDay: number
  months: readonly number[]
  /** Different for each supply point of the run. */
  ordinal: number
  label: string
}>

/** Some are written with the two characters of the measuring point. */
const withMeasuringPoint = (random: Random, cups: string): string =>
  random.chance(0.3) ? `${cups}${random.pick(['0F', '1F', '1P'])}` : cups

/** The contract of a supply point in the network of its town's distributor. */
export const contractOf = (random: Random, plan: ContractPlan): Contract => {
  const { fuel, isBusiness, address, startDay, months, ordinal, label } = plan
  const distributor = fuel === 'GAS' ? address.town.gas : address.town.electricity
  return {
    fuel,
    isBusiness,
    isLarge: isBusiness && random.chance(0.5),
    startDay,
    months,
    cups: withMeasuringPoint(random, cupsOf(distributor, ordinal)),
    distributor,
    meter: `${fuel === 'GAS' ? 'G4-' : 'ZIV-'}${random.digits(8)}`,
    label,
  }
}
