import type { BatchOutcome, Wants } from './batch.js'
import { BatchResult } from './totals/batch-result.js'
import { tooLargeLine } from './validated-line.js'

/** The outcome of a line that is too long to be held; its bytes are kept by whoever reads them. */
export const tooLargeOutcome = (line: number, wants: Wants): BatchOutcome => {
  const result = new BatchResult({ ...wants, failures: false }, line)
  result.add(0, { start: 0, end: 0, next: 0 }, tooLargeLine())
  return result.outcome(new Uint8Array())
}
