import { printable } from '../../printable.js'

// What a spreadsheet takes for the beginning of a formula, also in full width and after blanks.
const formula = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/

/**
 * Text from outside as the content of a cell: control characters and line ends become `\u` escapes, and an
 * apostrophe stands before what a spreadsheet would run as a formula.
 */
export const safeCell = (text: string): string => {
  const shown = printable(text).replaceAll('\n', '\\n')
  return formula.test(shown) ? `'${shown}` : shown
}
