const gap = '  '

const cellsOf = (row: readonly string[]): readonly string[] => row.map((cell) => cell.replaceAll('\n', '\\n'))

/** Rows under headings, in columns as wide as their widest cell. Without rows: the given words. */
export const table = (
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  none: string,
): string => {
  if (rows.length === 0) return none
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
