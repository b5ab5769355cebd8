import type { AccountDetails } from '@account-import/core'
import { itemsOf } from './items-of.js'

/** Requests to one account, each by the items that it adds. */
type Additions = readonly Readonly<{ items: readonly string[] }>[]

export type AddedItems = Readonly<{
  /** What the account was created with. */
  created: readonly string[]
  /** Answered as added. */
  settled: Additions
  /** Sent, and perhaps added. */
  unanswered: Additions
}>

const countsOf = (items: readonly string[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return counts
}

/** What is wrong, one text for each fault. */
type ItemFaults = Readonly<{
  /** Answered, and not there. */
  lost: readonly string[]
  /** There more than once. */
  doubled: readonly string[]
  /** Requests of which a part is there, and what nobody sent. */
  other: readonly string[]
}>

/** What is wrong with the items of an account, by its kind. */
export const itemFaultsByKind = (
  number: string,
  details: AccountDetails,
  { created, settled, unanswered }: AddedItems,
): ItemFaults => {
  const counts = countsOf(itemsOf(details))
  const allowed = countsOf(created)
  const sent = new Set([...created, ...[...settled, ...unanswered].flatMap(({ items }) => items)])
  const missing = settled.flatMap(({ items }) => items.filter((item) => !counts.has(item)))
  const cut = unanswered.flatMap(({ items }) => {
    const there = items.filter((item) => counts.has(item))
    return there.length === 0 || there.length === items.length
      ? []
      : [`${number}: ${there.length} of ${items.length} items of ${items[0]}`]
  })
  const doubled = [...counts].filter(([item, count]) => count > Math.max(1, allowed.get(item) ?? 0))
  const unknown = [...counts.keys()].filter((item) => !sent.has(item))
  return {
    lost: missing.map((item) => `${number}: ${item} was answered and is not there`),
    doubled: doubled.map(([item, count]) => `${number}: ${item} is there ${count} times`),
    other: [...cut, ...unknown.map((item) => `${number}: ${item} was never sent`)],
  }
}
