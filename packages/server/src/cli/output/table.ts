import type { Told } from '../command-result.js'
import { oneCell } from '../../printable.js'

const gap = '  '

const cellsOf = (row: readonly string[]): readonly string[] => row.map(oneCell)

/** Rows under headings, in columns as wide as their widest cell. */
export const table = (headings: readonly string[], rows: readonly (readonly string[])[]): string => {
  const lines = [headings, ...rows].map(cellsOf)
  const widths = headings.map((_, column) =>
    lines.reduce((widest, line) => Math.max(widest, line[column]?.length ?? 0), 0),
  )
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join(gap)
        .trimEnd(),
    )
    .join('\n')
}

/** A list as a command answers it; without rows, words that say so. */
export const listed = (
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  none: string,
): Told => (rows.length === 0 ? { message: none } : { result: table(headings, rows) })
