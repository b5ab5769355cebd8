import type { LogEntry } from '@account-import/adapter-http-koa'
import type { Log } from './log-events.js'

/** Writes each request's entry at its own level; the entry holds no payload value by its own contract. */
export const requestLog =
  (log: Log): ((entry: LogEntry) => void) =>
  ({ level, ...entry }) => {
    switch (level) {
      case 'debug':
        return log.debug(entry, 'request')
      case 'info':
        return log.info(entry, 'request')
      case 'warn':
        return log.warn(entry, 'request')
      case 'error':
        return log.error(entry, 'request')
    }
  }
