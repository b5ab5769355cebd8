import type { Log } from './log-events.js'

/** The build fails when a line under `@ts-expect-error` compiles. */

const more = { attempt: 1, sql: 'SELECT' }

export const logged: readonly ((log: Log) => void)[] = [
  (log) => log.warn({ event: 'retry', reason: 'deadlock', attempt: 1 }, 'x'),
  // @ts-expect-error -- an event that the page of the log does not have
  (log) => log.warn({ event: 'nobody_described_this' }, 'x'),
  // @ts-expect-error -- no event
  (log) => log.warn({ reason: 'deadlock' }, 'x'),
  // @ts-expect-error -- a field that the page of the log does not have
  (log) => log.warn({ event: 'retry', sql: 'SELECT' }, 'x'),
  // @ts-expect-error -- such a field among others
  (log) => log.warn({ event: 'retry', ...more }, 'x'),
  // @ts-expect-error -- a level that the page of the log does not say
  (log) => log.error({ event: 'retry', attempt: 1 }, 'x'),
]
