import type { Random } from '../random/random.js'

/** Usual contracted powers of small supplies, in watts. */
const steps = [2300, 3300, 3450, 4400, 4600, 5500, 5750, 6900, 8050, 9200] as const

const PERIODS = 6

/** Watts for P1 to P6, no value below the one before it; up to 15 000 for small supplies, above it for large ones. */
export const contractedPower = (random: Random, isLarge: boolean): readonly number[] => {
  let watts = isLarge ? random.between(151, 400) * 100 : random.pick(steps)
  const atNight = isLarge || random.chance(0.3) ? random.between(5, 30) * 100 : 0
  return Array.from({ length: PERIODS }, (_, period) => {
    if (period === PERIODS - 1 || (isLarge && period > 0)) watts += atNight
    return watts
  })
}
