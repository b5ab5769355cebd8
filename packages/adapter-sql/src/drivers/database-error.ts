import { deniedIn, type Denied } from './denied.js'

type DriverError = Readonly<{
  message?: string
  sqlMessage?: string
  code?: string | number
  errno?: number
  sqlState?: string
  fatal?: boolean
  stack?: string
}>

/** The code and the database's own words; a quoted part may be a value of the payload, so it is left out. */
const cleanMessage = (error: DriverError, denied: Denied | undefined): string => {
  const words =
    denied === undefined
      ? (error.sqlMessage ?? error.message ?? 'failed').replace(/'.*'/s, "'…'")
      : `${denied.privilege ?? 'every'} privilege on ${denied.on} is denied to ${denied.user}`
  return error.code === undefined ? words : `${error.code}: ${words}`
}

/** A failure of the driver that is fit for a log: no SQL and no values. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError'
  readonly code: string | undefined
  readonly errno: number | undefined
  readonly sqlState: string | undefined
  /** Where the user lacks a right: which one, on what. */
  readonly denied: Denied | undefined
  /** The connection cannot be used any more. */
  readonly fatal: boolean

  constructor(thrown: unknown) {
    super()
    const error: DriverError = typeof thrown === 'object' && thrown !== null ? thrown : {}
    this.denied = deniedIn(error.sqlMessage ?? '')
    const message = cleanMessage(error, this.denied)
    // Knex would put the SQL in front of the message, as it does with every error: writing it has no effect.
    Object.defineProperty(this, 'message', { get: () => message, set: (): void => {} })
    this.code = error.code === undefined ? undefined : String(error.code)
    this.errno = error.errno
    this.sqlState = error.sqlState
    this.fatal = error.fatal === true
    const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
    this.stack = [`${this.name}: ${message}`, ...frames].join('\n')
  }
}

/** The failure as a `DatabaseError`; one that is one already stays as it is. */
export const databaseError = (thrown: unknown): DatabaseError =>
  thrown instanceof DatabaseError ? thrown : new DatabaseError(thrown)
