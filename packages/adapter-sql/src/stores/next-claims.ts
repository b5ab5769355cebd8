import type { ClaimRequest } from '@account-import/core'
import { areOfOneSupplier } from '@account-import/core/adapter-kit'

/** Claims that are taken together at most: more hardly save anything, and hold locks for longer. */
const most = 16

/** The indexes of the claims that go with the first: of its supplier, counted as it is, each of another import. */
export const nextClaims = (waiting: readonly ClaimRequest[]): readonly number[] => {
  const [first] = waiting
  const numbers = new Set<string>()
  const indexes: number[] = []
  for (const [index, { key, countsAsAttempt }] of waiting.entries()) {
    const isLikeFirst = areOfOneSupplier(first?.key, key) && countsAsAttempt === first?.countsAsAttempt
    if (!isLikeFirst || numbers.has(key.externalAccountNumber)) continue
    numbers.add(key.externalAccountNumber)
    indexes.push(index)
    if (indexes.length === most) break
  }
  return indexes
}
