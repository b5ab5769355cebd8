import { oneCell, printable } from './printable.js'

// The signs that begin a formula in a spreadsheet, also in full width and after blanks.
const formula = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/

/**
 * Text from outside as the content of a cell: control characters and line ends become `\u` escapes, and a text
 * that a spreadsheet would run as a formula gets an apostrophe in front.
 */
const safeCell = (text: string): string => {
  const shown = printable(oneCell(text))
  return formula.test(shown) ? `'${shown}` : shown
}

// Every text: where a semicolon separates lists, as in Spain, a spreadsheet cuts an unquoted text there, into a cell that may be a formula.
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`

/** Rows as CSV (RFC 4180), with cells that no spreadsheet runs as formulas. All tables are written here. */
export const csvOf = (rows: readonly (readonly (string | number)[])[]): string =>
  rows
    .map((row) => row.map((cell) => (typeof cell === 'string' ? quoted(safeCell(cell)) : String(cell))))
    .map((cells) => `${cells.join(',')}\r\n`)
    .join('')
