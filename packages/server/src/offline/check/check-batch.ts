import type { Batch, BatchOutcome } from '../../account-files/batch.js'
import type { CheckSetup } from '../check-setup.js'
import { validateLine } from '../validate-line.js'
import { BatchResult } from '../../account-files/totals/batch-result.js'
import { isBlank, linesOf } from '../../account-files/input/lines-of.js'

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
