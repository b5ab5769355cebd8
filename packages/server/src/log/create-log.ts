import { destination, pino, type DestinationStream } from 'pino'
import type { LogLevel } from '../config/codecs/log-level.js'
import type { Log } from './log-events.js'
import { readableEntry } from './readable-entry.js'

const stderr = 2

/** A pipe takes so much as a whole: processes that share it do not cut each other's lines. */
const wholeWriteBytes = 4096

/** Where people look at it: readable, in colours unless `NO_COLOR` is set. */
const toTerminal = (terminal: NodeJS.WriteStream): DestinationStream => {
  const inColours = (process.env['NO_COLOR'] ?? '') === ''
  return { write: (line) => void terminal.write(readableEntry(line, inColours)) }
}

const toPrograms = (worker: number | undefined): DestinationStream =>
  destination({ dest: stderr, sync: false, ...(worker !== undefined && { maxWrite: wholeWriteBytes }) })

/**
 * The log, on stderr: stdout belongs to the results of commands. One JSON object a line, on a terminal a readable line.
 * `worker`: the number of the process among those of one service.
 */
export const createLog = (level: LogLevel, worker?: number): Log =>
  pino(
    {
      level,
      base: worker === undefined ? null : { worker, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      messageKey: 'message',
    },
    process.stderr.isTTY ? toTerminal(process.stderr) : toPrograms(worker),
  )
