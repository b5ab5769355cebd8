import { destination, pino, type Logger } from 'pino'
import type { LogLevel } from '../config/codecs/log-level.js'

const stderr = 2

/** Structured logs, one JSON object a line, on stderr: stdout belongs to the results of commands. */
export const createLog = (level: LogLevel): Logger =>
  pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, messageKey: 'message' },
    destination({ dest: stderr, sync: false }),
  )
