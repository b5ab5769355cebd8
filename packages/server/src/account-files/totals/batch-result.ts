import type { BatchOutcome, Wants } from '../batch.js'
import { errorRows } from '../output/error-rows.js'
import { ErrorTable } from '../output/error-table.js'
import type { ValidatedLine } from '../validated-line.js'
import { BatchCounts } from './batch-counts.js'
import { keyHash } from './key-hash.js'
import type { LineRange } from '../input/lines-of.js'

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
export class BatchResult {
  private readonly counts = new BatchCounts()
  private readonly keys: number[] = []
  private readonly table = new ErrorTable()
  private readonly failed: LineRange[] = []
  private readonly wants: Wants
  private readonly firstLine: number

  constructor(wants: Wants, firstLine: number) {
    this.wants = wants
    this.firstLine = firstLine
  }

  add(offset: number, range: LineRange, validated: ValidatedLine): void {
    const line = this.firstLine + offset
    this.counts.add(line, validated)
    const hash = keyHash(validated)
    if (hash !== undefined) this.keys.push(...hash, offset)
    if (this.wants.errors) this.table.add(errorRows(line, validated))
    if (this.wants.failures && validated.errors.length > 0) this.failed.push(range)
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
      errors: this.wants.errors ? this.table.bytes() : undefined,
    }
  }
}
