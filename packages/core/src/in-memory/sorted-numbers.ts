import { compareCodePoints } from '../values/compare-code-points.js'

/** The account numbers of one supplier in order. Sorted when next read, which is cheap when few are new. */
export type SortedNumbers = Readonly<{
  add(number: string): void
  /** Those after `after`; all where it is `undefined`. */
  after(after: string | undefined): Iterable<string>
}>

const firstAfter = (numbers: readonly string[], after: string): number => {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (compareCodePoints(numbers[middle] ?? '', after) <= 0) low = middle + 1
    else high = middle
  }
  return low
}

export const createSortedNumbers = (): SortedNumbers => {
  const numbers: string[] = []
  let inOrder = true
  return {
    add: (number) => {
      const last = numbers.at(-1)
      if (last !== undefined && compareCodePoints(last, number) > 0) inOrder = false
      numbers.push(number)
    },
    *after(after) {
      if (!inOrder) numbers.sort(compareCodePoints)
      inOrder = true
      const start = after === undefined ? 0 : firstAfter(numbers, after)
      for (let index = start; index < numbers.length; index++) yield numbers[index] ?? ''
    },
  }
}
