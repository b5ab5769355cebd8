import { stringify } from 'csv-stringify/sync'
import { oneCell, printable } from '../../printable.js'

// The signs that begin a formula in a spreadsheet, also in full width and after blanks.
const formula = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/

/**
 * Text from outside as the content of a cell: control characters and line ends become `\u` escapes, and an
 * apostrophe stands before what a spreadsheet would run as a formula.
 */
const safeCell = (text: string): string => {
  const shown = printable(oneCell(text))
  return formula.test(shown) ? `'${shown}` : shown
}

/** Rows as CSV (RFC 4180), each text as a cell that no spreadsheet runs: the only writer of tables. */
export const csvOf = (rows: readonly (readonly (string | number)[])[]): string =>
  rows.length === 0
    ? ''
    : stringify(
        rows.map((row) => row.map((cell) => (typeof cell === 'string' ? safeCell(cell) : cell))),
        // RFC 4180 ends its lines so.
        { record_delimiter: 'windows' },
      )
