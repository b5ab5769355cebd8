import { explained } from '../explained.js'
import type { BulkResult, BulkResults, BulkSummary } from './bulk-result.js'

/** Which count a result that is done belongs to. */
export type CountOf<Done> = (done: Done) => 'created' | 'updated' | 'valid'

/** Counts results while they are read. */
export const countedResults = <Done extends Readonly<{ outcome: 'done' }>>(
  results: AsyncIterable<BulkResult<Done>>,
  countOf: CountOf<Done>,
  baseUrl: string,
): BulkResults<Done> => {
  const summary = { received: 0, created: 0, updated: 0, valid: 0, failed: 0, complete: false }
  const take = (result: BulkResult<Done>): void => {
    if (result.outcome === 'stopped') return
    summary.received += 1
    summary[result.outcome === 'failed' ? 'failed' : countOf(result)] += 1
  }
  async function* counted(): AsyncGenerator<BulkResult<Done>> {
    let stopped = false
    for await (const result of results) {
      take(result)
      if (result.outcome !== 'stopped') yield result
      else {
        stopped = true
        yield { ...result, failure: explained(baseUrl, result.failure) }
      }
    }
    summary.complete = !stopped
  }
  const iterator = counted()
  return {
    [Symbol.asyncIterator]: () => iterator,
    get summary(): BulkSummary {
      return { ...summary }
    },
  }
}
