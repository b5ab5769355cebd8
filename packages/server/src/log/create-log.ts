import { destination, type DestinationStream, pino } from 'pino'
import { oneCell, printable } from '@account-import/cli/kit'
import type { ServerConfig } from '../config/read-config.js'
import type { Log } from './log-events.js'

const escape = '\u001b'

/** Names of levels, padded to the same width, with their colours. */
const levels: Readonly<Record<number, readonly [name: string, colour: number]>> = {
  10: ['TRACE', 90],
  20: ['DEBUG', 90],
  30: ['INFO ', 36],
  40: ['WARN ', 33],
  50: ['ERROR', 31],
  60: ['FATAL', 31],
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Formats a line of pino for people: time of this machine, level, message, and the other fields by name. */
const readableEntry = (line: string, inColours: boolean): string => {
  const coloured = (colour: number, text: string): string =>
    inColours ? `${escape}[${colour}m${text}${escape}[0m` : text
  const { level, time, message, event: _event, ...fields } = JSON.parse(line) as Record<string, unknown>
  const [name, colour] = levels[Number(level)] ?? [String(level), 0]
  const clock = new Date(String(time)).toLocaleTimeString('en-GB')
  const parts = Object.entries(fields).map(([key, value]) => printable(oneCell(`${key}=${textOf(value)}`)))
  const texts = [printable(String(message)), coloured(90, parts.join(' '))].filter((part) => part !== '')
  return `${clock} ${coloured(colour, name)} ${texts.join('  ')}\n`
}

const stderr = 2

/** A terminal: readable lines, in colours unless `NO_COLOR` is set. */
const toTerminal = (terminal: NodeJS.WriteStream): DestinationStream => {
  const inColours = (process.env['NO_COLOR'] ?? '') === ''
  return { write: (line) => void terminal.write(readableEntry(line, inColours)) }
}

/** The log on stderr, as stdout is for results of commands: JSON lines, on a terminal readable lines. */
export const createLog = (level: ServerConfig['logLevel']): Log =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      messageKey: 'message',
    },
    process.stderr.isTTY ? toTerminal(process.stderr) : destination({ dest: stderr, sync: false }),
  )

const crashed = 3

const codeOf = (cause: unknown): string | undefined =>
  cause instanceof Error && 'code' in cause ? String(cause.code) : undefined

/**
 * Logs an uncaught error by name and code only, as messages may contain data, and ends the process, whose state is unknown then.
 * Claims on accounts expire by themselves, and open transactions are rolled back.
 */
export const logCrashes = (log: Log): void => {
  process.on('uncaughtException', (cause: unknown, origin) => {
    const name = cause instanceof Error ? cause.name : typeof cause
    log.fatal({ event: 'crashed', origin, name, code: codeOf(cause) }, 'unexpected fault')
    log.flush(() => process.exit(crashed))
  })
}
