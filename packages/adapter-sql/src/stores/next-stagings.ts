import type { Staging } from '@account-import/core'
import { accountKeyText } from '@account-import/core/adapter-kit'
import { batchLimits } from './stage.js'

/**
 * Batch sizes: a statement for each size is prepared on each connection, so there are only these. What is left
 * over goes with the next batch.
 */
const sizes = [64, 48, 32, 24, 16, 12, 8, 6, 4, 3, 2, 1]
const sizeFor = (items: number): number => sizes.find((size) => size <= items) ?? 1

/** The indexes of the stagings that go together: distinct keys, within the limits. */
export const nextStagings = (waiting: readonly Staging[]): readonly number[] => {
  const keys = new Set<string>()
  const indexes: number[] = []
  let bytes = 0
  for (const [index, staging] of waiting.entries()) {
    const key = accountKeyText(staging.key)
    const size = batchLimits.bytesOf(staging)
    if (indexes.length > 0 && bytes + size > batchLimits.maxBytes) break
    if (keys.has(key)) continue
    keys.add(key)
    indexes.push(index)
    bytes += size
    if (indexes.length === batchLimits.maxItems) break
  }
  return indexes.slice(0, sizeFor(indexes.length))
}
