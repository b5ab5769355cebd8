import { answer } from '../../support/answers.js'
import { itemFaultsByKind } from '../../support/item-faults.js'
import type { SharedDatabase } from '../../support/shared-database.js'
import type { AdditionTally } from '../../crash/additions/addition-traffic.js'
import { together, type Broken } from './broken.js'

/** What was added to these accounts is there, whole and once; `created` are the items that each was created with. */
export const checkAddedItems = async (
  { stores, key }: SharedDatabase,
  { acknowledged, learned, unanswered }: AdditionTally,
  numbers: readonly string[],
  created: readonly string[],
): Promise<Broken> => {
  const broken: Broken[] = []
  for (const number of numbers) {
    const account = await answer(stores.accounts.find(key(number)))
    if (account === undefined) throw new Error(`${number}: there is no account`)
    const own = (additions: AdditionTally['unanswered']) =>
      additions.filter((addition) => addition.number === number)
    const items = { created, settled: own([...acknowledged, ...learned]), unanswered: own(unanswered) }
    broken.push(itemFaultsByKind(number, account.details, items))
  }
  return together(broken)
}
