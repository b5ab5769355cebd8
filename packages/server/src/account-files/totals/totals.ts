import type { BatchOutcome } from '../batch.js'
import {
  type CodeCount,
  emptySpread,
  exampleLimit,
  type FieldCount,
  heaviestOf,
  type HeavyLine,
} from '../counts.js'

/** Distinct fields counted for each code; names of unknown fields are anything that somebody wrote. */
const fieldLimit = 250

/** Stands for the fields beyond the limit. */
const otherFields = 'other fields'

type OpenCode = Omit<CodeCount, 'fields'> & { readonly byField: Map<string, FieldCount> }

const addField = (into: FieldCount, from: FieldCount): void => {
  into.findings += from.findings
  into.accounts += from.accounts
  into.examples.push(...from.examples.slice(0, exampleLimit - into.examples.length))
}

/** The numbers of a whole file. */
export class Totals {
  accounts = 0
  failed = 0
  validWithWarnings = 0
  readonly spread = emptySpread()
  heaviest: readonly HeavyLine[] = []
  private readonly byCode = new Map<string, OpenCode>()

  /** Outcomes have to come in the order of the file; then the numbers do not depend on how it was cut. */
  add(outcome: BatchOutcome): void {
    this.accounts += outcome.accounts
    this.failed += outcome.failed
    this.validWithWarnings += outcome.validWithWarnings
    outcome.spread.forEach((count, at) => (this.spread[at] = (this.spread[at] ?? 0) + count))
    this.heaviest = heaviestOf([...this.heaviest, ...outcome.heaviest])
    for (const code of outcome.codes) this.addCode(code)
  }

  /** Errors before warnings, the most frequent first; then by name. */
  codes(): readonly CodeCount[] {
    return [...this.byCode.values()]
      .map(({ byField, ...code }) => ({ ...code, fields: [...byField.values()].toSorted(byFrequency) }))
      .toSorted(
        (left, right) => bySeverity(left, right) || right.accounts - left.accounts || byName(left, right),
      )
  }

  private addCode(from: CodeCount): void {
    const name = `${from.severity} ${from.code}`
    const { severity, code } = from
    const into = this.byCode.get(name) ?? { severity, code, findings: 0, accounts: 0, byField: new Map() }
    this.byCode.set(name, into)
    into.findings += from.findings
    into.accounts += from.accounts
    for (const field of from.fields) this.addTo(into, field)
  }

  private addTo({ byField }: OpenCode, from: FieldCount): void {
    const counted = byField.has(from.field) || byField.size < fieldLimit
    const field = counted ? from.field : otherFields
    const into = byField.get(field) ?? { ...from, field, findings: 0, accounts: 0, examples: [] }
    byField.set(field, into)
    addField(into, from)
  }
}

const bySeverity = (left: CodeCount, right: CodeCount): number =>
  Number(left.severity === 'warning') - Number(right.severity === 'warning')

const byName = (left: CodeCount, right: CodeCount): number => (left.code < right.code ? -1 : 1)

const byFrequency = (left: FieldCount, right: FieldCount): number =>
  right.findings - left.findings || (left.field < right.field ? -1 : 1)
