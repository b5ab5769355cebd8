import { destination, pino, type Logger } from 'pino'
import type { LogLevel } from '../config/codecs/log-level.js'

const stderr = 2

/** A pipe takes so much as a whole: processes that share it do not cut each other's lines. */
const wholeWriteBytes = 4096

/**
 * Structured logs, one JSON object a line, on stderr: stdout belongs to the results of commands. `worker`: the number of the
 * process among those of one service.
 */
export const createLog = (level: LogLevel, worker?: number): Logger =>
  pino(
    {
      level,
      base: worker === undefined ? null : { worker, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      messageKey: 'message',
    },
    destination({ dest: stderr, sync: false, ...(worker !== undefined && { maxWrite: wholeWriteBytes }) }),
  )
