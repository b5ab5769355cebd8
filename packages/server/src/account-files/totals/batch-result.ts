import { createHash } from 'node:crypto'
import type { FieldError } from '@account-import/core'
import type { BatchOutcome, ValidatedLine, Wants } from '../batch.js'
import {
  type CodeCount,
  emptySpread,
  type Example,
  exampleLimit,
  type FieldCount,
  type FindingSeverity,
  heaviestOf,
  type HeavyLine,
  heavyLineLimit,
  spreadClassOf,
} from '../counts.js'
import type { LineRange } from '../input/lines-of.js'
import { errorRows, ErrorTable } from '../output/rows.js'

const index = /(^|\.)\d+(?=\.|$)/g

/** The path of a field for all items of its lists: `customers.0.landline` is `customers[].landline`. */
const fieldOf = (attr: string): string => attr.replaceAll(index, '[]')

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

type OpenField = FieldCount & { lastLine: number }
type OpenCode = CodeCount & { lastLine: number; readonly byField: Map<string, OpenField> }

const openCode = (severity: FindingSeverity, { code }: FieldError): OpenCode => ({
  severity,
  code,
  findings: 0,
  accounts: 0,
  fields: [],
  lastLine: 0,
  byField: new Map(),
})

/** Whether it is the first finding of its line. */
const count = (counted: OpenCode | OpenField, line: number): boolean => {
  counted.findings += 1
  if (counted.lastLine === line) return false
  counted.accounts += 1
  counted.lastLine = line
  return true
}

const withoutMarks = ({ byField, severity, code, findings, accounts }: OpenCode): CodeCount => ({
  severity,
  code,
  findings,
  accounts,
  fields: [...byField.values()].map(({ field, detail, findings: times, accounts: lines, examples }) => ({
    field,
    detail,
    findings: times,
    accounts: lines,
    examples,
  })),
})

/** Counts the validated lines of one batch. */
class BatchCounts {
  accounts = 0
  failed = 0
  validWithWarnings = 0
  readonly spread = emptySpread()
  private heavy: HeavyLine[] = []
  private readonly byCode = new Map<string, OpenCode>()

  add(line: number, { errors, warnings, column }: ValidatedLine): void {
    this.accounts += 1
    const at = column === undefined ? { line } : { line, column }
    for (const error of errors) this.addFinding('error', at, error)
    for (const warning of warnings) this.addFinding('warning', at, warning)
    if (errors.length > 0) this.addFailed({ line, errors: errors.length, warnings: warnings.length })
    else if (warnings.length > 0) this.validWithWarnings += 1
  }

  codes(): readonly CodeCount[] {
    return [...this.byCode.values()].map(withoutMarks)
  }

  heaviest(): readonly HeavyLine[] {
    return heaviestOf(this.heavy)
  }

  private addFailed(heavy: HeavyLine): void {
    this.failed += 1
    const at = spreadClassOf(heavy.errors)
    this.spread[at] = (this.spread[at] ?? 0) + 1
    this.heavy.push(heavy)
    if (this.heavy.length >= 50 * heavyLineLimit) this.heavy = [...heaviestOf(this.heavy)]
  }

  private addFinding(severity: FindingSeverity, at: Omit<Example, 'attr'>, finding: FieldError): void {
    const { line } = at
    const name = `${severity} ${finding.code}`
    const code = this.byCode.get(name) ?? openCode(severity, finding)
    this.byCode.set(name, code)
    count(code, line)
    const path = fieldOf(finding.attr)
    const field = code.byField.get(path) ?? {
      field: path,
      detail: finding.detail,
      findings: 0,
      accounts: 0,
      examples: [],
      lastLine: 0,
    }
    code.byField.set(path, field)
    const first = count(field, line)
    if (first && field.examples.length < exampleLimit) field.examples.push({ ...at, attr: finding.attr })
  }
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
