import { oneCell, printable } from '../printable.js'

const escape = '\u001b'

/** Names of levels as wide as the widest, with their colours. */
const levels: Readonly<Record<number, readonly [name: string, colour: number]>> = {
  10: ['TRACE', 90],
  20: ['DEBUG', 90],
  30: ['INFO ', 36],
  40: ['WARN ', 33],
  50: ['ERROR', 31],
  60: ['FATAL', 31],
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** An entry of the log, as pino writes it, for people: time of this machine, level, message, and all else by name. */
export const readableEntry = (line: string, inColours: boolean): string => {
  const coloured = (colour: number, text: string): string =>
    inColours ? `${escape}[${colour}m${text}${escape}[0m` : text
  const { level, time, message, event: _event, ...fields } = JSON.parse(line) as Record<string, unknown>
  const [name, colour] = levels[Number(level)] ?? [String(level), 0]
  const clock = new Date(String(time)).toLocaleTimeString('en-GB')
  const parts = Object.entries(fields).map(([key, value]) => printable(oneCell(`${key}=${textOf(value)}`)))
  const said = [printable(String(message)), coloured(90, parts.join(' '))].filter((part) => part !== '')
  return `${clock} ${coloured(colour, name)} ${said.join('  ')}\n`
}
