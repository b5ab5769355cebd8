import type { FieldError } from '@account-import/core'
import type { Batch, BatchOutcome, ComparedLine, ValidatedLine, Wants } from '../outcomes/batch.js'
import {
  type CodeCount,
  type Example,
  type FieldCount,
  type FindingSeverity,
  type Numbers,
  spreadBounds,
} from '../outcomes/counts.js'
import { joined, type LineRange } from '../lines/lines-of.js'
import { CsvTable, errorRows, failureRow } from '../tables/rows.js'
import { addSums, noSums } from './line-facts.js'

/** The most distinct fields for each code: an input may have any number of unknown fields. */
const fieldLimit = 250

/** The most examples for each code at each field. */
const exampleLimit = 5

const otherFields = 'other fields'

const index = /(^|\.)\d+(?=\.|$)/g

/** The path of a field without indexes: `customers[].landline` for `customers.0.landline`. */
const fieldOf = (attr: string): string => attr.replaceAll(index, '[]')

type Counted = { findings: number; accounts: number; lastLine: number }
type OpenField = FieldCount & Counted
type OpenCode = Omit<CodeCount, 'fields'> & Counted & { readonly byField: Map<string, OpenField> }

const zero = (): Counted => ({ findings: 0, accounts: 0, lastLine: 0 })

/** Counts a finding; returns whether it is the first one of its line. */
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

/** The number of lines in `heaviest`. */
const heavyLineLimit = 20

/** The class of the spread for a failed account with this number of errors, from 1. */
const spreadClassOf = (errors: number): number => {
  const found = spreadBounds.findIndex((bound) => errors <= bound)
  return found < 0 ? spreadBounds.length : found
}

const emptySpread = (): number[] => [...spreadBounds.map(() => 0), 0]

/** Sorted by errors, most first, then by line. Independent of the order of the input. */
const heaviestOf = (lines: Numbers['heaviest']): Numbers['heaviest'] =>
  lines
    .toSorted((left, right) => right.errors - left.errors || left.line - right.line)
    .slice(0, heavyLineLimit)

/** The numbers of a batch, added line by line, or of a file, added batch by batch. */
export class Counts {
  private accounts = 0
  private failed = 0
  private validWithWarnings = 0
  private readonly spread = emptySpread()
  private heavy: Numbers['heaviest'][number][] = []
  private readonly byCode = new Map<string, OpenCode>()

  /** Lines with a result. */
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

  /** Requires batches in the order of the file: then the numbers do not depend on the size of batches. */
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

  private addHeavy(lines: Numbers['heaviest']): void {
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

/** Collects the results of the lines of one batch. `sources`: the source rows of the lines, if those are wanted. */
export const batchResult = (wants: Wants, { firstLine, sources = [] }: Omit<Batch, 'bytes'>) => {
  const [counts, sums, table, failedTable] = [new Counts(), noSums(), new CsvTable(), new CsvTable()]
  const compared: ComparedLine[] = []
  const failed: LineRange[] = []
  const failuresIn = (bytes: Uint8Array): Uint8Array<ArrayBuffer> | undefined => {
    if (wants.failures === 'table') return failedTable.bytes()
    return failed.length > 0
      ? joined(failed.map(({ start, next }) => bytes.subarray(start, next)))
      : undefined
  }
  return {
    add: (offset: number, range: LineRange, validated: ValidatedLine): void => {
      const line = firstLine + offset
      const source = wants.sources === true ? (sources[offset] ?? ['', '']) : []
      counts.addLine(line, validated)
      const { importSupplier, externalAccountNumber, facts = { points: [] } } = validated
      const { sums: lineSums, ...values } = facts
      compared.push({ line, importSupplier, externalAccountNumber, ...values })
      if (lineSums !== undefined) addSums(sums, lineSums)
      if (wants.errors) table.add(errorRows(line, validated).map((row) => [...row, ...source]))
      if (validated.errors.length === 0) return
      if (wants.failures === 'lines') failed.push(range)
      if (wants.failures === 'table') failedTable.add([[...failureRow(line, validated), ...source]])
    },
    outcome: (bytes: Uint8Array): BatchOutcome => ({
      ...counts.numbers(),
      compared,
      sums,
      failures: failuresIn(bytes),
      errors: wants.errors ? table.bytes() : undefined,
    }),
  }
}
