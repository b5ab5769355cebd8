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
