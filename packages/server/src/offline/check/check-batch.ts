import type { Batch, BatchOutcome, CheckSetup, Wants } from '../batch.js'
import { tooLargeLine, validateLine } from '../validate-line.js'
import { BatchResult } from './batch-result.js'
import { isBlank, linesOf } from './lines-of.js'

/** Validates every line of a batch. Depends on nothing but its arguments, so any worker gives the same outcome. */
export const checkBatch = ({ bytes, firstLine }: Batch, setup: CheckSetup): BatchOutcome => {
  const result = new BatchResult(setup.wants, firstLine)
  let offset = 0
  for (const range of linesOf(bytes)) {
    const line = bytes.subarray(range.start, range.end)
    if (!isBlank(line)) result.add(offset, range, validateLine(line, setup.context))
    offset += 1
  }
  return result.outcome(bytes)
}

/** The outcome of a line that is too long to be held; its bytes are kept by whoever reads them. */
export const tooLargeOutcome = (line: number, wants: Wants): BatchOutcome => {
  const result = new BatchResult({ ...wants, failures: false }, line)
  result.add(0, { start: 0, end: 0, next: 0 }, tooLargeLine())
  return result.outcome(new Uint8Array())
}
