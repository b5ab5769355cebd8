import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'

export { median } from '../../support/median.js'

/** The machine and the time of figures, in one line. */
export const machineText = (database: string): string =>
  `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cpus().length} cores, ` +
  `${Math.round(totalmem() / 2 ** 30)} GB, ${database}`

/**
 * A table with `left` columns aligned to the left, the others to the right; as wide as the formatter of this repository makes
 * them.
 */
export const markdownTable = (rows: readonly (readonly string[])[], toTheLeft: number): string => {
  const [head = [], ...body] = rows
  const widths = head.map((_, column) => Math.max(3, ...rows.map((row) => row[column]?.length ?? 0)))
  const padded = (cell: string, column: number): string =>
    column < toTheLeft ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)
  const line = (row: readonly string[]): string => `| ${row.map(padded).join(' | ')} |`
  const rule = widths.map((width, column) =>
    column < toTheLeft ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  )
  return [line(head), line(rule), ...body.map(line)].join('\n')
}

/** The pages of docs/reference that contain figures. */
export type FiguresPage = 'performance' | 'fault-report' | 'hostile-input'

/** Puts the text between the marks of this name in the page; throws if the page has none. */
export const saveTable = (name: string, text: string, pageName: FiguresPage = 'performance'): void => {
  const page = new URL(`../../../../docs/reference/${pageName}.md`, import.meta.url)
  const [begin, end] = [`<!-- ${name} begins -->`, `<!-- ${name} ends -->`]
  const old = readFileSync(page, 'utf8')
  const [from, to] = [old.indexOf(begin), old.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`The page ${pageName} has no place for ${name}`)
  writeFileSync(page, `${old.slice(0, from)}${begin}\n\n${text}\n\n${old.slice(to)}`)
}
