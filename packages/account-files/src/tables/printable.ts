// Characters that move a cursor, set colours, change the direction of writing or are invisible. Not tabs, line ends, and a byte
// order mark at the beginning, by which spreadsheets recognise the encoding of a table.
const unprintable =
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u{e0000}-\u{e007f}]|(?<!^)\ufeff|\r(?!\n)/gu

const escaped = (text: string): string =>
  text
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')

/** Text from outside, escaped for a terminal. JSON keeps its meaning, as it has such characters only in its texts. */
export const printable = (text: string): string => text.replace(unprintable, escaped)

const marks: Readonly<Record<string, string>> = {
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\t': String.raw`\t`,
}

/** Text as one cell of a table: escapes tabs and line ends. */
export const oneCell = (text: string): string => text.replaceAll(/[\n\r\t]/g, (mark) => marks[mark] ?? '')

/** JSON with single carriage returns as blanks: they are white space between its values. */
export const withoutReturns = (json: string): string => json.replaceAll(/\r(?!\n)/g, ' ')
