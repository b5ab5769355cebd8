import { counted } from '@account-import/account-files'

/**
 * A row of a file: the number of its first line, from 1, and its cells, or the fault of the row. `lineFeeds`: those in its cells.
 */
export type CsvRow = Readonly<
  { line: number } & (Readonly<{ cells: readonly string[]; lineFeeds: number }> | RowFault)
>

/** `fault` ends the sentence "FILE line N: …"; `row` is the text of the row. */
export type RowFault = Readonly<{ fault: string; remedy: string; row: string }>

/** `columns`: those of a file without a header. `endsEmpty`: each row has one more cell, which is empty. */
type Dialect = Readonly<{
  delimiter: string
  quote: string | undefined
  columns?: readonly string[] | undefined
  endsEmpty?: boolean
}>

/** The longest row, in characters: an unclosed quote must not take all memory. */
export const longestRow = 4 * 1024 * 1024

const remedies = {
  cells: (delimiter: string) =>
    `A cell that contains the delimiter ${JSON.stringify(delimiter)} has to be in quotes. Correct the row, or collect such rows with --rejects FILE.`,
  quotes:
    'A quote in a cell is written twice, in a cell that is in quotes. Correct the row, declare "quote none" for a file without quoting, or collect such rows with --rejects FILE.',
  last: 'The source declares last empty: each row ends with a delimiter. Correct the row, or the declaration.',
  ends: 'Save the file with one kind of line end, or collect such rows with --rejects FILE.',
} as const

const loneReturn = 'a carriage return stands alone'

type Parsed =
  | Readonly<{ cells: readonly string[]; end: number }>
  | Readonly<{ fault: string; end: number }>
  | 'incomplete'

const cellNumber = (cells: readonly string[]): string => `cell ${cells.length + 1}`

/**
 * Reads the row with quotes that begins at `start`. `isLast`: nothing follows the text. `incomplete` asks for more text. A fault
 * ends with the first line of the row, so that the next row is read again.
 */
const quotedRow = (
  text: string,
  start: number,
  isLast: boolean,
  { delimiter, quote }: Readonly<{ delimiter: string; quote: string }>,
): Parsed => {
  const cells: string[] = []
  const endFrom = (at: number): number => {
    const feed = text.indexOf('\n', at)
    return feed < 0 ? text.length : feed
  }
  const firstEnd = endFrom(start)
  // The end of the line of the cell: searched once a line, because a line may have very many cells.
  let lineEnd = firstEnd
  const faulty = (fault: string): Parsed => ({ fault, end: firstEnd })
  for (let at = start; ;) {
    let cell = ''
    if (text[at] === quote) {
      at += 1
      for (;;) {
        const close = text.indexOf(quote, at)
        if (close < 0) {
          const isTooLong = text.length - start > longestRow
          return isLast || isTooLong
            ? faulty(`the quote that begins ${cellNumber(cells)} is not closed`)
            : 'incomplete'
        }
        cell += text.slice(at, close)
        at = close + 1
        if (text[at] !== quote) break
        cell += quote
        at += 1
      }
      if (at < text.length && ![delimiter, '\n', '\r'].includes(text[at] ?? ''))
        return faulty(`text follows the closing quote of ${cellNumber(cells)}`)
    } else {
      if (lineEnd < at) lineEnd = endFrom(at)
      const stop = text.indexOf(delimiter, at)
      const end = stop < 0 ? lineEnd : Math.min(stop, lineEnd)
      cell = text.slice(at, text.startsWith('\r\n', end - 1) && end > at ? end - 1 : end)
      if (cell.includes(quote))
        return faulty(`a quote is inside of ${cellNumber(cells)}, which does not begin with one`)
      if (cell.includes('\r')) return faulty(loneReturn)
      at = end
    }
    cells.push(cell)
    if (text[at] === delimiter) at += 1
    else if (text[at] === '\n') return { cells, end: at }
    else if (text.startsWith('\r\n', at)) return { cells, end: at + 1 }
    else if (at >= text.length) return isLast ? { cells, end: at } : 'incomplete'
    else return faulty(loneReturn)
  }
}

const lineFeedsIn = (text: string): number => {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

const nameOf = (isWindows: boolean): string => (isWindows ? 'CR LF' : 'LF')

/**
 * Cuts text into rows, strictly: nothing is guessed, no character begins a comment, and no blank is removed. The first row gives
 * the number of cells and the kind of line end. Blank lines are no rows. A reader of its own: csv-parse needs two to three times the
 * time, and DuckDB's reader accepts a quote inside a cell, takes all rows behind an open quote for one, and reads no Windows-1252.
 */
export const rowReader = (dialect: Dialect) => {
  const { delimiter, quote, columns, endsEmpty = false } = dialect
  let [rest, line] = ['', 1]
  let header: Readonly<{ cells: number; isWindows: boolean }> | undefined
  const [first, declares] =
    columns === undefined ? ['the header', 'the header has'] : ['the first line', 'the source declares']
  const checked = (
    all: readonly string[],
    row: string,
    lineFeeds: number,
    ending: 'CR LF' | 'LF' | 'none',
  ): CsvRow => {
    const at = { line, row }
    const cells = endsEmpty ? all.slice(0, -1) : all
    header ??= { cells: columns?.length ?? cells.length, isWindows: ending === 'CR LF' }
    if (ending !== 'none' && ending !== nameOf(header.isWindows))
      return {
        ...at,
        fault: `the line ends with ${ending}, ${first} with ${nameOf(header.isWindows)}`,
        remedy: remedies.ends,
      }
    if (cells.length !== header.cells)
      return {
        ...at,
        fault: `${counted(cells.length, 'cell')}, ${declares} ${header.cells}`,
        remedy: remedies.cells(delimiter),
      }
    if (endsEmpty && all.at(-1) !== '')
      return { ...at, fault: 'the last cell is not empty', remedy: remedies.last }
    return { line, cells, lineFeeds }
  }
  const plainRow = (text: string, start: number, end: number): Parsed => {
    const row = text.slice(start, text[end - 1] === '\r' && end > start ? end - 1 : end)
    return row.includes('\r') ? { fault: loneReturn, end } : { cells: row.split(delimiter), end }
  }
  const parsedAt = (text: string, start: number, end: number, isLast: boolean): Parsed =>
    quote === undefined || !text.slice(start, end).includes(quote)
      ? plainRow(text, start, end)
      : quotedRow(text, start, isLast, { delimiter, quote })
  function* rows(text: string, isLast: boolean): Generator<CsvRow> {
    let start = 0
    while (start < text.length) {
      const feed = text.indexOf('\n', start)
      if (feed < 0 && !isLast) break
      const end = feed < 0 ? text.length : feed
      const isBlank = end === start || (end === start + 1 && text[start] === '\r')
      const parsed = isBlank ? { cells: [], end } : parsedAt(text, start, end, isLast)
      if (parsed === 'incomplete') break
      const row = text.slice(start, parsed.end)
      const lineFeeds = lineFeedsIn(row)
      const ending = parsed.end >= text.length ? 'none' : row.endsWith('\r') ? 'CR LF' : 'LF'
      if ('fault' in parsed) {
        const remedy = parsed.fault === loneReturn ? remedies.ends : remedies.quotes
        yield { line, row, fault: parsed.fault, remedy }
      } else if (!isBlank) yield checked(parsed.cells, row, lineFeeds, ending)
      line += lineFeeds + 1
      start = parsed.end + 1
    }
    rest = text.slice(start)
  }
  return {
    push: (text: string): Generator<CsvRow> => rows(rest + text, false),
    end: (): Generator<CsvRow> => rows(rest, true),
  }
}
