import { ownerOnly, type Written } from '../../account-files/output/outputs.js'
import { oneCell } from '../../printable.js'
import type { Told } from '../command-result.js'

/** `name: value` lines, values under each other. */
export const properties = (entries: Readonly<Record<string, string>>): string => {
  const width = Math.max(...Object.keys(entries).map((name) => name.length)) + 1
  return Object.entries(entries)
    .map(([name, value]) => `${`${name}:`.padEnd(width)} ${oneCell(value)}`.trimEnd())
    .join('\n')
}

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

/** Which files were written; nothing where there are none. */
export const writtenText = (written: readonly Written[]): readonly string[] =>
  written.length === 0
    ? []
    : [
        written
          .map(({ path, kind }) =>
            ownerOnly.has(kind)
              ? `Written: ${path} (data of customers: readable for you alone, mode 600)`
              : `Written: ${path}`,
          )
          .join('\n'),
      ]
