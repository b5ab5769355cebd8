import type { FieldError } from '@account-import/core'
import {
  emptySpread,
  exampleLimit,
  heaviestOf,
  heavyLineLimit,
  spreadClassOf,
  type CodeCount,
  type Example,
  type FindingSeverity,
  type FieldCount,
  type HeavyLine,
} from '../counts.js'
import { fieldOf } from './field-of.js'
import type { ValidatedLine } from '../validated-line.js'

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
export class BatchCounts {
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
