import { oneCell } from '@account-import/account-files'
import { Help } from 'commander'

/** The columns of the terminal that shows results; no end where stdout is no terminal, as a program may read the lines. */
const screenWidth = (): number => (process.stdout.isTTY && process.stdout.columns) || Number.POSITIVE_INFINITY

/** The cells of a row, and sentences below it. */
export type Row = Readonly<{ cells: readonly string[]; texts: readonly string[] }>

const [help, indent, gap] = [new Help(), '  ', '   ']

const wrapped = (text: string, prefix: string, width: number): string =>
  (Number.isFinite(width) ? help.boxWrap(text, width - prefix.length) : text)
    .split('\n')
    .map((line) => `${prefix}${line}`.trimEnd())
    .join('\n')

const line = (cells: readonly string[], widths: readonly number[]): string =>
  cells
    .map((cell, column) => oneCell(cell).padEnd(widths[column] ?? 0))
    .join('  ')
    .trimEnd()

/** Joins words of a row to lines of at most this width. A word that is longer has a line of its own, and is not cut. */
const flowed = (words: readonly string[], width: number): readonly string[] =>
  words.reduce<readonly string[]>((lines, word) => {
    const last = lines.at(-1)
    return last === undefined || last.length + gap.length + word.length > width
      ? [...lines, word]
      : [...lines.slice(0, -1), `${last}${gap}${word}`]
  }, [])

/** A row as a paragraph: the first cell, and below it the others behind their headings, without empty ones. */
const stacked = (headings: readonly string[], cells: readonly string[], width: number): readonly string[] => {
  const [first = '', ...others] = cells.map(oneCell)
  const words = others.flatMap((cell, at) =>
    cell === '' ? [] : [`${(headings[at + 1] ?? '').toLowerCase()} ${cell}`.trim()],
  )
  return [first, ...flowed(words, width - indent.length).map((words) => `${indent}${words}`)]
}

/**
 * Rows under headings, in columns as wide as their widest cell; each row as a paragraph where the columns are wider than `width`.
 * Sentences below a row are wrapped.
 */
export const tableWithTexts = (
  headings: readonly string[],
  rows: readonly Row[],
  width = screenWidth(),
): string => {
  const lines = [headings, ...rows.map(({ cells }) => cells)]
  const widths = headings.map((_, column) =>
    lines.reduce((widest, cells) => Math.max(widest, oneCell(cells[column] ?? '').length), 0),
  )
  const isNarrow = widths.reduce((sum, each) => sum + each + 2, -2) > width
  const [prefix, head] = isNarrow ? [indent, []] : [' '.repeat(10), [line(headings, widths)]]
  return [
    ...head,
    ...rows.flatMap(({ cells, texts }) => [
      ...(isNarrow ? stacked(headings, cells, width) : [line(cells, widths)]),
      ...texts.map((text) => wrapped(text, prefix, width)),
    ]),
  ].join('\n')
}

/** The same without sentences. */
export const table = (
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  width = screenWidth(),
): string =>
  tableWithTexts(
    headings,
    rows.map((cells) => ({ cells, texts: [] })),
    width,
  )

/** Columns of a table, each with its value of an item. */
export type Columns<Item> = readonly (readonly [heading: string, value: (item: Item) => string])[]

/** Items in rows of such columns, or `none` without items. */
export const tableOf = <Item>(all: Columns<Item>, items: readonly Item[], none = 'none'): string =>
  items.length === 0
    ? none
    : table(
        all.map(([heading]) => heading),
        items.map((item) => all.map(([, value]) => value(item))),
      )

/** The form of items that are printed one by one: lines under a line of headings, which is empty where items are paragraphs. */
export type ItemLines<Item> = Readonly<{ headings: string; text(item: Item): string }>

/** Columns of items that are printed one by one, so each has a fixed width that fits most values; paragraphs on a narrow terminal. */
export const columns = <Item>(
  all: readonly (readonly [heading: string, width: number, value: (item: Item) => string])[],
  width = screenWidth(),
): ItemLines<Item> => {
  const widths = all.map(([, own]) => own)
  const headings = all.map(([heading]) => heading)
  const cellsOf = (item: Item) => all.map(([, , value]) => value(item))
  return widths.reduce((sum, own) => sum + own + 2, -2) > width
    ? { headings: '', text: (item) => stacked(headings, cellsOf(item), width).join('\n') }
    : { headings: line(headings, widths), text: (item) => line(cellsOf(item), widths) }
}
