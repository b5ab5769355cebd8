import type { LogEntry } from '@account-import/adapter-http-koa'
import type { Logger } from 'pino'

/** Writes each request's entry at its own level; the entry holds no payload value by its own contract. */
export const requestLog =
  (log: Logger): ((entry: LogEntry) => void) =>
  ({ level, ...entry }) =>
    log[level](entry, 'request')
