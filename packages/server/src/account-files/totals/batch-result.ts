import { createHash } from 'node:crypto'
import type { Batch, BatchOutcome, ValidatedLine, Wants } from '../batch.js'
import type { LineRange } from '../input/lines-of.js'
import { CsvTable, errorRows, failureRow } from '../output/rows.js'
import { Counts } from './counting.js'

/** Two halves of a 64-bit hash of supplier code and account number; undefined where one of them is not valid. */
const keyHash = ({
  importSupplier,
  externalAccountNumber,
}: ValidatedLine): readonly [high: number, low: number] | undefined => {
  if (importSupplier === undefined || externalAccountNumber === undefined) return undefined
  const digest = createHash('sha256')
    .update(JSON.stringify([importSupplier, externalAccountNumber]))
    .digest()
  return [digest.readUInt32LE(0), digest.readUInt32LE(4)]
}

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
  private readonly counts = new Counts()
  private readonly keys: number[] = []
  private readonly table = new CsvTable()
  private readonly failedTable = new CsvTable()
  private readonly failed: LineRange[] = []
  private readonly wants: Wants
  private readonly firstLine: number

  private readonly sources: readonly string[]

  /** `sources`: where the lines came from, if that is wanted. */
  constructor(wants: Wants, { firstLine, sources = [] }: Omit<Batch, 'bytes'>) {
    this.wants = wants
    this.firstLine = firstLine
    this.sources = sources
  }

  add(offset: number, range: LineRange, validated: ValidatedLine): void {
    const line = this.firstLine + offset
    const source = this.wants.sources === true ? [this.sources[offset] ?? ''] : []
    this.counts.addLine(line, validated)
    const hash = keyHash(validated)
    if (hash !== undefined) this.keys.push(...hash, offset)
    if (this.wants.errors) this.table.add(errorRows(line, validated).map((row) => [...row, ...source]))
    if (validated.errors.length === 0) return
    if (this.wants.failures === 'lines') this.failed.push(range)
    if (this.wants.failures === 'table') this.failedTable.add([[...failureRow(line, validated), ...source]])
  }

  private failures(bytes: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
    if (this.wants.failures === 'table') return this.failedTable.bytes()
    return this.failed.length > 0 ? copied(bytes, this.failed) : undefined
  }

  outcome(bytes: Uint8Array): BatchOutcome {
    return {
      ...this.counts.numbers(),
      keys: Uint32Array.from(this.keys),
      failures: this.failures(bytes),
      errors: this.wants.errors ? this.table.bytes() : undefined,
    }
  }
}
