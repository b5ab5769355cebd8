import { dateOf, dayOf } from '../calendar.js'
import type { Random } from '../random/random.js'
import type { Contract, SupplyPoint } from './contract.js'

/** The access tariffs of both supplies got new names on these days. */
const newNames = { ELECTRICITY: dayOf('2021-06-01'), GAS: dayOf('2021-10-01') } as const

type Spelling = Readonly<{ before: string; since: string }>

const electricity = (random: Random, isLarge: boolean): Spelling =>
  isLarge
    ? { before: '3.0A', since: random.chance(0.85) ? '3.0TD' : '019' }
    : { before: random.pick(['2.0A', '2.0DHA']), since: random.chance(0.85) ? '2.0TD' : '018' }

const gas = (random: Random, isLarge: boolean): Spelling => {
  const group = isLarge ? 4 : random.between(1, 3)
  return { before: `3.${group}`, since: random.chance(0.9) ? `RL.${group}` : `RL${group}` }
}

/** The access tariffs of a supply point from its first day on, in the names of their time. */
export const accessTariffsOf = (
  random: Random,
  { fuel, isLarge, startDay }: Contract,
): NonNullable<SupplyPoint['atr_tariffs']> => {
  const { before, since } = fuel === 'GAS' ? gas(random, isLarge) : electricity(random, isLarge)
  const change = newNames[fuel]
  return startDay >= change
    ? [{ value: since, valid_from: dateOf(startDay) }]
    : [
        { value: before, valid_from: dateOf(startDay) },
        { value: since, valid_from: dateOf(change) },
      ]
}
