import type { PortFailure } from '@account-import/core'
import type { LoggedFailure } from './log-entry.js'

const plainName = /^[A-Za-z0-9_.-]{1,64}$/

const textAt = (cause: unknown, key: 'name' | 'code'): string | undefined => {
  if (typeof cause !== 'object' || cause === null) return undefined
  const value: unknown = Reflect.get(cause, key)
  return typeof value === 'string' && plainName.test(value) ? value : undefined
}

const namesOf = (cause: unknown): Pick<LoggedFailure, 'name' | 'code'> => {
  const code = textAt(cause, 'code')
  return { name: textAt(cause, 'name') ?? typeof cause, ...(code === undefined ? {} : { code }) }
}

export const isPortFailure = (cause: unknown): cause is PortFailure =>
  typeof cause === 'object' && cause !== null && '_tag' in cause && cause._tag === 'PortFailure'

/** What of a cause may be logged: error messages can hold SQL and data, so only names and codes stay. */
export const loggedFailure = (cause: unknown): LoggedFailure =>
  isPortFailure(cause)
    ? { kind: cause.kind, port: cause.port, operation: cause.operation, ...namesOf(cause.cause) }
    : { kind: 'unexpected', ...namesOf(cause) }
