import { dayOf, firstDayOf, monthOf } from './calendar.js'
import type { GeneratorOptions, Profile } from './options.js'
import type { Random } from './random/random.js'
import { weighted } from './random/weighted.js'
import type { Fuel } from './supply/contract.js'

export type Kind = 'electricity' | 'gas' | 'dual' | 'business' | 'unknown-occupier'

/** The kind of an account, and the length of its history. */
export type AccountPlan = Readonly<{
  kind: Kind
  /** One for each supply point. */
  fuels: readonly Fuel[]
  startDay: number
  /** The months that were billed; the last one closed before 2025-09-01. */
  months: readonly number[]
  mostNotes: number
}>

const lastMonths = ['2025-05-01', '2025-06-01', '2025-07-01'] as const

const typicalKinds = [
  ['electricity', 46],
  ['gas', 18],
  ['dual', 20],
  ['business', 12],
  ['unknown-occupier', 4],
] as const satisfies readonly (readonly [Kind, number])[]

const fuelsOf = (random: Random, kind: Kind, profile: Profile): readonly Fuel[] => {
  if (profile === 'heavy') return ['ELECTRICITY', 'ELECTRICITY', 'GAS']
  if (profile === 'small') return [kind === 'gas' ? 'GAS' : 'ELECTRICITY']
  if (kind === 'dual') return ['ELECTRICITY', 'GAS']
  if (kind === 'gas') return ['GAS']
  return kind === 'business' && random.chance(0.25) ? ['ELECTRICITY', 'ELECTRICITY'] : ['ELECTRICITY']
}

/** Most suppliers export some months; few accounts have years. */
const historyLength = (random: Random, profile: Profile, points: number): number => {
  if (profile === 'small') return 1
  if (profile === 'heavy') return random.between(26, 28)
  const [shortest, longest] = weighted(random, [
    [[1, 3] as const, 44],
    [[3, 5] as const, 36],
    [[6, 10] as const, 15],
    [[11, 24] as const, 5],
  ])
  return Math.ceil(random.between(shortest, longest) / points)
}

export const planOf = (random: Random, { profile }: GeneratorOptions): AccountPlan => {
  const kind = profile === 'heavy' ? 'business' : weighted(random, typicalKinds)
  const fuels = fuelsOf(random, kind, profile)
  const count = historyLength(random, profile, fuels.length)
  const first = monthOf(dayOf(random.pick(lastMonths))) - count + 1
  // Households stay with a supplier for some years: the exported history is seldom complete.
  const isNew = profile === 'small' || random.chance(0.15)
  return {
    kind,
    fuels,
    startDay: firstDayOf(first) - (isNew ? 0 : random.between(30, 1900)),
    months: Array.from({ length: count }, (_, at) => first + at),
    mostNotes: profile === 'small' ? 1 : 4,
  }
}
