/**
 * The identity of one account import: the pair (import supplier code, external account number) of one
 * organisation. Compared exactly: case, accents, width and outer spaces matter.
 */
export type AccountKey = Readonly<{
  organisation: string
  importSupplier: string
  externalAccountNumber: string
}>

/** One string per key, for maps: the parts are joined by a character that no identifier may hold. */
export const accountKeyText = (key: AccountKey): string =>
  `${key.organisation}\u0000${key.importSupplier}\u0000${key.externalAccountNumber}`

/** Whether two keys stand under one supplier of one organisation: their rows then lie together, on one shard. */
export const areOfOneSupplier = (one: AccountKey | undefined, other: AccountKey): boolean =>
  one?.organisation === other.organisation && one.importSupplier === other.importSupplier

/**
 * The indexes of those that wait and go with the first: of its group and each of another import, within the limits. The first
 * goes even if it alone is over them.
 */
export const nextOfGroup = <A extends Readonly<{ key: AccountKey }>>(
  waiting: readonly A[],
  isOfGroup: (first: A, item: A) => boolean,
  {
    maxItems,
    maxBytes,
    bytesOf,
  }: Readonly<{ maxItems: number; maxBytes: number; bytesOf: (item: A) => number }>,
): readonly number[] => {
  const [first] = waiting
  const numbers = new Set<string>()
  const indexes: number[] = []
  let bytes = 0
  for (const [index, item] of waiting.entries()) {
    const { externalAccountNumber: number } = item.key
    if (numbers.has(number) || !isOfGroup(first as A, item)) continue
    bytes += bytesOf(item)
    if (indexes.length === maxItems || (index > 0 && bytes > maxBytes)) break
    numbers.add(number)
    indexes.push(index)
  }
  return indexes
}
