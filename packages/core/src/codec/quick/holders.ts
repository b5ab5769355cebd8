import { MAX_ITEMS } from '../list.js'

/**
 * How many fields an object has, if they have these names, in this order, with or without gaps; -1 for everything
 * else. Fields that it inherits are counted too.
 */
export const countInOrder = (value: unknown, names: readonly string[]): number => {
  if (typeof value !== 'object' || value === null) return -1
  let count = 0
  let next = 0
  for (const name in value) {
    while (names[next] !== name) if (++next >= names.length) return -1
    next++
    count++
  }
  return count
}

/** Whether a value is a list of no more items than are looked at. */
export const isShortList = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && value.length <= MAX_ITEMS
