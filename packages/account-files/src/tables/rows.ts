import type { FieldError } from '@account-import/core'
import type { ValidatedLine } from '../outcomes/batch.js'
import type { FindingSeverity } from '../outcomes/counts.js'
import { csvOf } from './csv.js'

/** The row of a table. */
export type Row = readonly (string | number)[]

/**
 * The column names of each table; for converted accounts the last columns are the source row: the name of its file, and its keys. The byte order mark makes
 * spreadsheets read UTF-8. The table of numbers has no mark, because programs read it.
 */
export const tableHeads = (withSources: boolean) => {
  const source = withSources ? ['file', 'source'] : []
  return {
    failures: `\ufeff${csvOf([['external_account_number', 'line', 'step', 'codes', 'fields', ...source]])}`,
    errors: `\ufeff${csvOf([['line', 'external_account_number', 'severity', 'attr', 'code', 'detail', ...source]])}`,
    mapping: csvOf([['import_supplier', 'external_account_number', 'platform_account_number']]),
  }
}

/** Rows of one line in the table of errors, errors first. They contain no value of the payload but the account number. */
export const errorRows = (line: number, validated: ValidatedLine): readonly Row[] => {
  const number = validated.externalAccountNumber ?? ''
  const row =
    (severity: FindingSeverity) =>
    ({ attr, code, detail }: FieldError): Row => [line, number, severity, attr, code, detail]
  return [...validated.errors.map(row('error')), ...validated.warnings.map(row('warning'))]
}

const distinct = (texts: readonly string[]): string =>
  [...new Set(texts.filter((text) => text !== ''))].join(' ')

/** The row of a line that failed in the table of failures, with each code and each field once. */
export const failureRow = (line: number, { errors, step, ...validated }: ValidatedLine): Row => [
  validated.externalAccountNumber ?? '',
  line,
  step ?? 'validate',
  distinct(errors.map(({ code }) => code)),
  distinct(errors.map(({ attr }) => attr)),
]

/** The most rows in memory as objects: as text they take a fraction of the memory. */
const mostRows = 2000

/** Collects rows of a table as CSV. */
export class CsvTable {
  private rows: Row[] = []
  private text = ''

  add(rows: readonly Row[]): void {
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
