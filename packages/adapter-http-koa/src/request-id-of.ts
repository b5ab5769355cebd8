import { randomUUID } from 'node:crypto'

const sane = /^[A-Za-z0-9._-]{1,64}$/

/** The caller's `X-Request-Id` if it is 1 to 64 of `A-Za-z0-9._-`, else a new one. */
export const requestIdOf = (sent: unknown): string =>
  typeof sent === 'string' && sane.test(sent) ? sent : randomUUID()
