import type { SharedDatabase } from '../../support/shared-database.js'
import { answer } from '../../support/answers.js'
import { itemsOf } from './items-of.js'
import type { AdditionTally } from './addition-traffic.js'

type Accounts = Pick<SharedDatabase, 'stores' | 'key'>

const countsOf = (items: readonly string[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return counts
}

/**
 * What is wrong with the items of the accounts: one that is there twice, one that was answered and is not there, and
 * requests of which a part is there. `created` are the items that an account was created with.
 */
export const checkItems = async (
  { stores, key }: Accounts,
  tally: AdditionTally,
  numbers: readonly string[],
  created: readonly string[],
): Promise<readonly string[]> => {
  const faults: string[] = []
  const settled = [...tally.acknowledged, ...tally.learned]
  for (const number of numbers) {
    const account = await answer(stores.accounts.find(key(number)))
    if (account === undefined) throw new Error(`${number}: there is no account`)
    const counts = countsOf(itemsOf(account.details))
    const expected = new Set(created)
    for (const { items } of settled.filter((addition) => addition.number === number))
      for (const item of items) {
        expected.add(item)
        if (!counts.has(item)) faults.push(`${number}: ${item} was answered and is not there`)
      }
    for (const { items } of tally.unanswered.filter((addition) => addition.number === number)) {
      const there = items.filter((item) => counts.has(item))
      if (there.length !== 0 && there.length !== items.length)
        faults.push(`${number}: ${there.length} of ${items.length} items of ${items[0]}`)
      for (const item of items) expected.add(item)
    }
    for (const [item, count] of counts) {
      if (count > 1) faults.push(`${number}: ${item} is there ${count} times`)
      if (!expected.has(item)) faults.push(`${number}: ${item} was never sent`)
    }
  }
  return faults
}
