import type { Batch, BatchOutcome, ValidatedLine, Wants } from '../batch.js'
import type { LineRange } from '../input/lines-of.js'
import { CsvTable, errorRows } from '../output/rows.js'
import { FactsOfBatch } from './file-checks.js'
import { Counts } from './counting.js'
import { keyHash } from './repeated-keys.js'

const copied = (bytes: Uint8Array, ranges: readonly LineRange[]): Uint8Array<ArrayBuffer> => {
  const all = new Uint8Array(ranges.reduce((sum, { start, next }) => sum + next - start, 0))
  let at = 0
  for (const { start, next } of ranges) {
    all.set(bytes.subarray(start, next), at)
    at += next - start
  }
  return all
}

/** A row of the table of failures. */
type FailureRow = readonly [number: string, line: number, step: string, codes: string, fields: string]

const distinct = (texts: readonly string[]): string =>
  [...new Set(texts.filter((text) => text !== ''))].join(' ')

/** The row of a line that failed, with each code and each field once. */
const failureRow = (line: number, { errors, step, ...validated }: ValidatedLine): FailureRow => [
  validated.externalAccountNumber ?? '',
  line,
  step ?? 'validate',
  distinct(errors.map(({ code }) => code)),
  distinct(errors.map(({ attr }) => attr)),
]

/** Collects what the lines of one batch give. */
export class BatchResult {
  private readonly counts = new Counts()
  private readonly keys: number[] = []
  private readonly facts = new FactsOfBatch()
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
    const { importSupplier, externalAccountNumber, facts = {} } = validated
    if (importSupplier !== undefined && externalAccountNumber !== undefined)
      this.keys.push(...keyHash([importSupplier, externalAccountNumber]), offset)
    this.facts.add({ line, offset }, externalAccountNumber ?? '', facts)
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
      facts: this.facts.facts(),
      failures: this.failures(bytes),
      errors: this.wants.errors ? this.table.bytes() : undefined,
    }
  }
}
