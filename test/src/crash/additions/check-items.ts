import type { SharedDatabase } from '../../support/shared-database.js'
import { answer } from '../../support/answers.js'
import { itemFaults } from '../../support/item-faults.js'
import type { AdditionTally } from './addition-traffic.js'

/** What is wrong with the items of the accounts; `created` are those that an account was created with. */
export const checkItems = async (
  { stores, key }: Pick<SharedDatabase, 'stores' | 'key'>,
  tally: AdditionTally,
  numbers: readonly string[],
  created: readonly string[],
): Promise<readonly string[]> => {
  const faults: string[] = []
  for (const number of numbers) {
    const account = await answer(stores.accounts.find(key(number)))
    if (account === undefined) throw new Error(`${number}: there is no account`)
    const own = (additions: AdditionTally['unanswered']) =>
      additions.filter((addition) => addition.number === number)
    const settled = own([...tally.acknowledged, ...tally.learned])
    const items = { created, settled, unanswered: own(tally.unanswered) }
    faults.push(...itemFaults(number, account.details, items))
  }
  return faults
}
