import type { Staging } from '@account-import/core'
import { areOfOneSupplier } from '@account-import/core/adapter-kit'
import { batchLimits } from './stage.js'

/**
 * Batch sizes: a statement for each size is prepared on each connection, so there are only these. What is left
 * over goes with the next batch.
 */
const sizes = [64, 48, 32, 24, 16, 12, 8, 6, 4, 3, 2, 1]
const sizeFor = (items: number): number => sizes.find((size) => size <= items) ?? 1

/** The indexes of the stagings that go with the first: of its supplier, each of another import, within the limits. */
export const nextStagings = (waiting: readonly Staging[]): readonly number[] => {
  const numbers = new Set<string>()
  const indexes: number[] = []
  let bytes = 0
  for (const [index, staging] of waiting.entries()) {
    const { externalAccountNumber: number } = staging.key
    if (!areOfOneSupplier(waiting[0]?.key, staging.key) || numbers.has(number)) continue
    const size = batchLimits.bytesOf(staging)
    if (indexes.length > 0 && bytes + size > batchLimits.maxBytes) break
    numbers.add(number)
    indexes.push(index)
    bytes += size
    if (indexes.length === batchLimits.maxItems) break
  }
  return indexes.slice(0, sizeFor(indexes.length))
}
