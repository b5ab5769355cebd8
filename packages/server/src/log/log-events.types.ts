import type { Log } from './log-events.js'

/** A line under `@ts-expect-error` must not compile: the build fails when one does. */

export const asDescribed = (log: Log): void =>
  log.warn({ event: 'retry', reason: 'deadlock', attempt: 1 }, 'x')

export const unknownEvent = (log: Log): void =>
  // @ts-expect-error -- an event that the page of the log does not have
  log.warn({ event: 'nobody_described_this' }, 'x')

export const withoutEvent = (log: Log): void =>
  // @ts-expect-error -- no event
  log.warn({ reason: 'deadlock' }, 'x')

export const unknownField = (log: Log): void =>
  // @ts-expect-error -- a field that the page of the log does not have
  log.warn({ event: 'retry', sql: 'SELECT' }, 'x')

const more = { attempt: 1, sql: 'SELECT' }

export const spreadField = (log: Log): void =>
  // @ts-expect-error -- such a field among others
  log.warn({ event: 'retry', ...more }, 'x')

export const otherLevel = (log: Log): void =>
  // @ts-expect-error -- a level that the page of the log does not say
  log.error({ event: 'retry', attempt: 1 }, 'x')
