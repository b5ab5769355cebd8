import { dateOf } from '../calendar.js'
import type { Random } from '../random/random.js'
import type { Contract, SupplyPoint } from './contract.js'
import { contractedPower } from './power.js'

export type Agreement = NonNullable<SupplyPoint['agreements']>[number]

const names = {
  ELECTRICITY: ['LUZ-ESTABLE', 'LUZ-TRES-TRAMOS', 'LUZ-NOCTURNA'],
  GAS: ['GAS-HOGAR', 'GAS-FIJO', 'GAS-INDEXADO'],
} as const

/** The days on which agreements begin: the first day of supply, then some of the days one to three years later. */
const beginnings = (random: Random, startDay: number, before: number): readonly number[] => {
  const days = [startDay]
  let next = startDay + 365 * random.between(1, 3)
  while (next < before && days.length < 4) {
    days.push(next)
    next += 365 * random.between(1, 3)
  }
  return days
}

const power = (
  random: Random,
  { isLarge }: Contract,
  watts: readonly number[],
  kwh: number,
): Partial<Agreement> => ({
  contractual_max_power: watts,
  annual_consumption: String(kwh),
  estimated_monthly_fee_in_cents: Math.round(kwh * 1.6) + random.between(800, 1500),
  ...(!isLarge && random.chance(0.06) && { social_bonus_identifier: `BS-2024-${random.digits(6)}` }),
  atr_type: '01',
})

/** Agreements that follow each other without a gap from the first day of supply; the last one is open. */
export const agreementsOf = (
  random: Random,
  contract: Contract,
  lastDay: number,
): readonly [Agreement, ...Agreement[]] => {
  const days = beginnings(random, contract.startDay, lastDay - 60)
  const isElectricity = contract.fuel === 'ELECTRICITY'
  const watts = isElectricity ? contractedPower(random, contract.isLarge) : []
  const kwh = random.between(14, 45) * (contract.isLarge ? 1000 : 100)
  const name = random.pick(names[contract.fuel])
  const agreement = (day: number, next: number | undefined): Agreement => ({
    tariff_code: `${name}-${dateOf(day).slice(0, 4)}`,
    effective_from: dateOf(day),
    ...(next !== undefined && { effective_to: dateOf(next) }),
    cnae: contract.isBusiness ? '4711' : '9820',
    ...(isElectricity && power(random, contract, watts, kwh)),
  })
  return [
    agreement(contract.startDay, days[1]),
    ...days.slice(1).map((day, at) => agreement(day, days[at + 2])),
  ]
}
