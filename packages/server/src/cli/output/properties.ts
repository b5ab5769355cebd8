import { oneCell } from '../../printable.js'

/** `name: value` lines, values under each other. */
export const properties = (entries: Readonly<Record<string, string>>): string => {
  const width = Math.max(...Object.keys(entries).map((name) => name.length)) + 1
  return Object.entries(entries)
    .map(([name, value]) => `${`${name}:`.padEnd(width)} ${oneCell(value)}`.trimEnd())
    .join('\n')
}
