import type { Random } from '../random/random.js'
import type { Contract } from '../supply/contract.js'

/** Prices of a contract, in millionths of a euro. `bands`: for each kWh, by rate band. */
export type Tariff = Readonly<{
  bands: readonly (readonly [band: string, price: number])[]
  /** For each day, independent of the consumption. */
  standing: number
}>

const electricityBands = ['CONSUMPTION_P1', 'CONSUMPTION_P2', 'CONSUMPTION_P3'] as const

/** Usual prices; a kWh has one price or, for some electricity, one by time of day. */
export const tariffOf = (random: Random, { fuel, isLarge }: Contract): Tariff => {
  const standing = random.between(2000, 6500) * (isLarge ? 900 : 100)
  if (fuel === 'GAS') return { bands: [['CONSUMPTION_STANDARD', random.between(52_000, 84_000)]], standing }
  const peak = random.between(150_000, 210_000)
  return random.chance(0.55)
    ? { bands: [['CONSUMPTION_STANDARD', peak]], standing }
    : {
        bands: electricityBands.map(
          (band, at) => [band, peak - at * random.between(10_000, 40_000)] as const,
        ),
        standing,
      }
}
