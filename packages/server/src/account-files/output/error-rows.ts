import { stringify } from 'csv-stringify/sync'
import type { FieldError } from '@account-import/core'
import type { ValidatedLine } from '../validated-line.js'
import type { FindingSeverity } from '../counts.js'
import { safeCell } from './safe-cell.js'

/** A row of the table of errors. */
export type ErrorRow = readonly [
  line: number,
  number: string,
  severity: FindingSeverity,
  attr: string,
  code: string,
  detail: string,
]

const csv = (rows: readonly (readonly (string | number)[])[]): string =>
  // RFC 4180 ends its lines so.
  stringify(
    rows.map((row) => [...row]),
    { record_delimiter: 'windows' },
  )

/** The byte order mark makes spreadsheets read UTF-8; then the names of the columns. */
export const errorsHead = (): string =>
  `\ufeff${csv([['line', 'external_account_number', 'severity', 'attr', 'code', 'detail']])}`

/** Rows as CSV: RFC 4180. */
export const errorsCsv = (rows: readonly ErrorRow[]): string => (rows.length === 0 ? '' : csv(rows))

/** Rows of one line, errors first. The account number is the only value of the payload in them. */
export const errorRows = (line: number, validated: ValidatedLine): readonly ErrorRow[] => {
  const number = safeCell(validated.externalAccountNumber ?? '')
  const row =
    (severity: FindingSeverity) =>
    ({ attr, code, detail }: FieldError): ErrorRow => [line, number, severity, safeCell(attr), code, detail]
  return [...validated.errors.map(row('error')), ...validated.warnings.map(row('warning'))]
}
