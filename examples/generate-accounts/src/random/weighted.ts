import type { Random } from './random.js'

/** One of the values, with a probability in proportion to its weight. At least one weight is above 0. */
export const weighted = <A>(
  random: Random,
  choices: readonly [readonly [A, number], ...(readonly [A, number])[]],
): A => {
  const total = choices.reduce((sum, [, weight]) => sum + weight, 0)
  let left = random.below(total)
  for (const [value, weight] of choices) {
    if (left < weight) return value
    left -= weight
  }
  return choices[0][0]
}
