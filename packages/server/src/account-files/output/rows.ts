import type { FieldError } from '@account-import/core'
import type { ValidatedLine } from '../batch.js'
import type { FindingSeverity } from '../counts.js'
import { csvOf } from './csv.js'

type ErrorRow = readonly [
  line: number,
  number: string,
  severity: FindingSeverity,
  attr: string,
  code: string,
  detail: string,
]

/** Rows of one line, errors first. The account number is the only value of the payload in them. */
export const errorRows = (line: number, validated: ValidatedLine): readonly ErrorRow[] => {
  const number = validated.externalAccountNumber ?? ''
  const row =
    (severity: FindingSeverity) =>
    ({ attr, code, detail }: FieldError): ErrorRow => [line, number, severity, attr, code, detail]
  return [...validated.errors.map(row('error')), ...validated.warnings.map(row('warning'))]
}

/** Rows are kept as objects only until there are so many: as text they take a fraction of the memory. */
const mostRows = 2000

/** Collects rows of a table as CSV. */
export class CsvTable {
  private rows: (readonly (string | number)[])[] = []
  private text = ''

  add(rows: readonly (readonly (string | number)[])[]): void {
    for (const row of rows) this.rows.push(row)
    if (this.rows.length >= mostRows) this.write()
  }

  /** All rows so far, in UTF-8. */
  bytes(): Uint8Array<ArrayBuffer> {
    this.write()
    return new TextEncoder().encode(this.text)
  }

  private write(): void {
    this.text += csvOf(this.rows)
    this.rows = []
  }
}
