import { stringify } from 'csv-stringify/sync'
import type { FieldError } from '@account-import/core'
import type { JudgedLine } from '../judge-line.js'
import type { EntrySeverity } from '../counts.js'
import { safeCell } from './safe-cell.js'

/** A row of the table of errors. */
export type ErrorRow = readonly [
  line: number,
  number: string,
  severity: EntrySeverity,
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
export const errorRows = (line: number, judged: JudgedLine): readonly ErrorRow[] => {
  const number = safeCell(judged.externalAccountNumber ?? '')
  const row =
    (severity: EntrySeverity) =>
    ({ attr, code, detail }: FieldError): ErrorRow => [line, number, severity, safeCell(attr), code, detail]
  return [...judged.errors.map(row('error')), ...judged.warnings.map(row('warning'))]
}
