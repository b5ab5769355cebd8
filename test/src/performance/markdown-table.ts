/** So many columns to the left, the others to the right; as wide as the formatter of this repository makes them. */
export const markdownTable = (rows: readonly (readonly string[])[], toTheLeft: number): string => {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(3, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const isText = (column: number): boolean => column < toTheLeft
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => (isText(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`
  const rule = widths.map((width, column) =>
    isText(column) ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  )
  const [head = [], ...body] = rows
  return [line(head), line(rule), ...body.map(line)].join('\n')
}
