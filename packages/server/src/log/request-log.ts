import type { AppOptions } from '@account-import/adapter-http-koa'
import type { Logger } from 'pino'

/** Writes each request's entry at its own level; the entry holds no payload value by its own contract. */
export const requestLog =
  (log: Logger): AppOptions['log'] =>
  ({ level, ...entry }) =>
    log[level](entry, 'request')
