// Everything that moves a terminal's cursor, colours it, turns the direction of writing or cannot be seen. Tabs and line ends stay,
// and a byte order mark at the beginning, by which spreadsheets know the encoding of a table.
const unprintable =
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u{e0000}-\u{e007f}]|(?<!^)\ufeff|\r(?!\n)/gu

const escaped = (text: string): string =>
  text
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')

/** Text that came from outside, safe to show in a terminal. JSON stays equal: such characters stand in its texts alone. */
export const printable = (text: string): string => text.replace(unprintable, escaped)

const marks: Readonly<Record<string, string>> = {
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\t': String.raw`\t`,
}

/** Text as one cell of a table: without what ends a cell or a line. */
export const oneCell = (text: string): string => text.replaceAll(/[\n\r\t]/g, (mark) => marks[mark] ?? '')

/** JSON as others wrote it, without carriage returns on their own: between its values they are blanks. */
export const withoutReturns = (json: string): string => json.replaceAll(/\r(?!\n)/g, ' ')
