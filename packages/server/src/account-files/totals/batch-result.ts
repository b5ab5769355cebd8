import type { FieldError } from '@account-import/core'
import { type Batch, type BatchOutcome, type ValidatedLine, type Wants } from '../batch.js'
import {
  type CodeCount,
  type Example,
  exampleLimit,
  type FieldCount,
  type FindingSeverity,
  type HeavyLine,
  type Numbers,
  spreadBounds,
} from '../counts.js'
import type { LineRange } from '../input/lines-of.js'
import { CsvTable, errorRows } from '../output/rows.js'
import { FactsOfBatch } from './file-checks.js'
import { keyHash } from './repeated-keys.js'

/** Distinct fields counted for each code; names of unknown fields are anything that somebody wrote. */
const fieldLimit = 250

const otherFields = 'other fields'

const index = /(^|\.)\d+(?=\.|$)/g

/** The path of a field for all items of its lists: `customers.0.landline` is `customers[].landline`. */
const fieldOf = (attr: string): string => attr.replaceAll(index, '[]')

type Counted = { findings: number; accounts: number; lastLine: number }
type OpenField = FieldCount & Counted
type OpenCode = Omit<CodeCount, 'fields'> & Counted & { readonly byField: Map<string, OpenField> }

const zero = (): Counted => ({ findings: 0, accounts: 0, lastLine: 0 })

/** Whether it is the first finding of its line. */
const count = (counted: Counted, line: number): boolean => {
  counted.findings += 1
  if (counted.lastLine === line) return false
  counted.accounts += 1
  counted.lastLine = line
  return true
}

const addUp = (into: Counted, from: Readonly<{ findings: number; accounts: number }>): void => {
  into.findings += from.findings
  into.accounts += from.accounts
}

/** Lines kept as the worst ones. */
const heavyLineLimit = 20

/** Which class of the spread a failed account with so many errors (from 1) belongs to. */
const spreadClassOf = (errors: number): number => {
  const found = spreadBounds.findIndex((bound) => errors <= bound)
  return found < 0 ? spreadBounds.length : found
}

const emptySpread = (): number[] => [...spreadBounds.map(() => 0), 0]

/** Most errors first; among equals the earlier line. Independent of the order in which lines come. */
const heaviestOf = (lines: readonly HeavyLine[]): readonly HeavyLine[] =>
  lines
    .toSorted((left, right) => right.errors - left.errors || left.line - right.line)
    .slice(0, heavyLineLimit)

/** The numbers of the lines of a batch, or, put together from those of its batches, of a file. */
export class Counts {
  private accounts = 0
  private failed = 0
  private validWithWarnings = 0
  private readonly spread = emptySpread()
  private heavy: HeavyLine[] = []
  private readonly byCode = new Map<string, OpenCode>()

  /** Lines that are done with. */
  get lines(): number {
    return this.accounts
  }

  addLine(line: number, { errors, warnings, column }: ValidatedLine): void {
    this.accounts += 1
    const at = column === undefined ? { line } : { line, column }
    for (const error of errors) this.addFinding('error', at, error)
    for (const warning of warnings) this.addFinding('warning', at, warning)
    if (errors.length === 0) {
      if (warnings.length > 0) this.validWithWarnings += 1
      return
    }
    this.failed += 1
    const spreadClass = spreadClassOf(errors.length)
    this.spread[spreadClass] = (this.spread[spreadClass] ?? 0) + 1
    this.addHeavy([{ line, errors: errors.length, warnings: warnings.length }])
  }

  /** Batches have to come in the order of the file; then the numbers do not depend on how it was cut. */
  addBatch(batch: Numbers): void {
    this.accounts += batch.accounts
    this.failed += batch.failed
    this.validWithWarnings += batch.validWithWarnings
    batch.spread.forEach((many, at) => (this.spread[at] = (this.spread[at] ?? 0) + many))
    this.addHeavy(batch.heaviest)
    for (const from of batch.codes) {
      const code = this.openCode(from.severity, from.code)
      addUp(code, from)
      for (const field of from.fields) {
        const isOwn = code.byField.has(field.field) || code.byField.size < fieldLimit
        const into = this.openField(code, isOwn ? field.field : otherFields, field.detail)
        addUp(into, field)
        into.examples.push(...field.examples.slice(0, exampleLimit - into.examples.length))
      }
    }
  }

  /** Codes and fields in the order of their first occurrence. */
  numbers(): Numbers {
    const { accounts, failed, validWithWarnings, spread } = this
    const codes = [...this.byCode.values()].map(({ byField, lastLine: _last, ...code }) => ({
      ...code,
      fields: [...byField.values()].map(({ lastLine: _last, ...field }) => field),
    }))
    return { accounts, failed, validWithWarnings, spread, codes, heaviest: heaviestOf(this.heavy) }
  }

  private addHeavy(lines: readonly HeavyLine[]): void {
    this.heavy.push(...lines)
    if (this.heavy.length >= 50 * heavyLineLimit) this.heavy = [...heaviestOf(this.heavy)]
  }

  private addFinding(severity: FindingSeverity, at: Omit<Example, 'attr'>, finding: FieldError): void {
    const code = this.openCode(severity, finding.code)
    count(code, at.line)
    const field = this.openField(code, fieldOf(finding.attr), finding.detail)
    const isFirst = count(field, at.line)
    if (isFirst && field.examples.length < exampleLimit) field.examples.push({ ...at, attr: finding.attr })
  }

  private openCode(severity: FindingSeverity, code: CodeCount['code']): OpenCode {
    const name = `${severity} ${code}`
    const open = this.byCode.get(name) ?? { severity, code, ...zero(), byField: new Map() }
    this.byCode.set(name, open)
    return open
  }

  private openField({ byField }: OpenCode, field: string, detail: string): OpenField {
    const open = byField.get(field) ?? { field, detail, ...zero(), examples: [] }
    byField.set(field, open)
    return open
  }
}

/** In memory of its own, which can be given to another thread. */
const copied = (bytes: Uint8Array, ranges: readonly LineRange[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.concat(ranges.map(({ start, next }) => bytes.subarray(start, next))))

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
