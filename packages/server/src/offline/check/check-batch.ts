import { errorRows } from '../output/error-rows.js'
import { ErrorTable } from '../output/error-table.js'
import { BatchCounts } from './batch-counts.js'
import type { Batch, BatchOutcome, CheckSetup } from '../batch.js'
import { validateLine, tooLargeLine, type ValidatedLine } from '../validate-line.js'
import { keyHash } from './key-hash.js'
import { isBlank, linesOf, type LineRange } from './lines-of.js'

/** The bytes of the ranges, one after the other. */
const copied = (bytes: Uint8Array, ranges: readonly LineRange[]): Uint8Array<ArrayBuffer> => {
  const all = new Uint8Array(ranges.reduce((sum, { start, next }) => sum + next - start, 0))
  let at = 0
  for (const { start, next } of ranges) {
    all.set(bytes.subarray(start, next), at)
    at += next - start
  }
  return all
}

/** Collects what the lines of one batch give. */
class BatchResult {
  private readonly counts = new BatchCounts()
  private readonly keys: number[] = []
  private readonly table = new ErrorTable()
  private readonly failed: LineRange[] = []
  private readonly setup: CheckSetup
  private readonly firstLine: number

  constructor(setup: CheckSetup, firstLine: number) {
    this.setup = setup
    this.firstLine = firstLine
  }

  add(offset: number, range: LineRange, validated: ValidatedLine): void {
    const line = this.firstLine + offset
    this.counts.add(line, validated)
    const hash = keyHash(validated)
    if (hash !== undefined) this.keys.push(...hash, offset)
    if (this.setup.wants.errors) this.table.add(errorRows(line, validated))
    if (this.setup.wants.failures && validated.errors.length > 0) this.failed.push(range)
  }

  outcome(bytes: Uint8Array): BatchOutcome {
    const { accounts, failed, validWithWarnings, spread } = this.counts
    return {
      accounts,
      failed,
      validWithWarnings,
      spread,
      codes: this.counts.codes(),
      heaviest: this.counts.heaviest(),
      keys: Uint32Array.from(this.keys),
      failures: this.failed.length > 0 ? copied(bytes, this.failed) : undefined,
      errors: this.setup.wants.errors ? this.table.bytes() : undefined,
    }
  }
}

/** Validates every line of a batch. Depends on nothing but its arguments, so any worker gives the same outcome. */
export const checkBatch = ({ bytes, firstLine }: Batch, setup: CheckSetup): BatchOutcome => {
  const result = new BatchResult(setup, firstLine)
  let offset = 0
  for (const range of linesOf(bytes)) {
    const line = bytes.subarray(range.start, range.end)
    if (!isBlank(line)) result.add(offset, range, validateLine(line, setup.context))
    offset += 1
  }
  return result.outcome(bytes)
}

/** The outcome of a line that is too long to be held; its bytes are kept by whoever reads them. */
export const tooLargeOutcome = (line: number, setup: CheckSetup): BatchOutcome => {
  const result = new BatchResult({ ...setup, wants: { ...setup.wants, failures: false } }, line)
  result.add(0, { start: 0, end: 0, next: 0 }, tooLargeLine())
  return result.outcome(new Uint8Array())
}
