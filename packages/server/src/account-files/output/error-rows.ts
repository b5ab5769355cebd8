import type { FieldError } from '@account-import/core'
import type { ValidatedLine } from '../validated-line.js'
import type { FindingSeverity } from '../counts.js'
import { csvOf } from './csv.js'

/** A row of the table of errors. */
export type ErrorRow = readonly [
  line: number,
  number: string,
  severity: FindingSeverity,
  attr: string,
  code: string,
  detail: string,
]

/** The byte order mark makes spreadsheets read UTF-8; then the names of the columns. */
export const errorsHead = (): string =>
  `\ufeff${csvOf([['line', 'external_account_number', 'severity', 'attr', 'code', 'detail']])}`

/** Rows of one line, errors first. The account number is the only value of the payload in them. */
export const errorRows = (line: number, validated: ValidatedLine): readonly ErrorRow[] => {
  const number = validated.externalAccountNumber ?? ''
  const row =
    (severity: FindingSeverity) =>
    ({ attr, code, detail }: FieldError): ErrorRow => [line, number, severity, attr, code, detail]
  return [...validated.errors.map(row('error')), ...validated.warnings.map(row('warning'))]
}
