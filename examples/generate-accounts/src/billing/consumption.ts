import type { Random } from '../random/random.js'
import type { Contract } from '../supply/contract.js'

/** Percent of the average month, from January to December: gas heats, electricity hardly varies. */
const seasons = {
  ELECTRICITY: [118, 112, 100, 92, 85, 92, 112, 110, 92, 88, 95, 110],
  GAS: [220, 200, 150, 95, 55, 30, 25, 22, 32, 62, 130, 195],
} as const

/** The consumption of an average month, in kWh. */
export const averageMonth = (random: Random, { fuel, isLarge }: Contract): number => {
  const kwh = fuel === 'GAS' ? random.between(180, 760) : random.between(110, 390)
  return isLarge ? kwh * 14 : kwh
}

/** Whole kWh of a month. */
export const consumptionIn = (random: Random, { fuel }: Contract, month: number, average: number): number => {
  const season = seasons[fuel][month % 12] ?? 100
  return 1 + Math.floor((average * season * random.between(85, 115)) / 10_000)
}
