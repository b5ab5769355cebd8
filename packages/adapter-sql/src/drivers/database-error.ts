const ofTable =
  /^([A-Z][A-Z ,]{2,40}?) command denied to user ('[^']{0,80}'@'[^']{0,255}') for (?:table|column '[^']*' in table) (\S{1,200})$/

const ofDatabase = /^Access denied for user ('[^']{0,80}'@'[^']{0,255}') to database '([^']{1,64})'$/

/** The missing right that a message of MySQL or MariaDB names; undefined for all other messages. */
const deniedIn = (message: string): DatabaseError['denied'] => {
  const [, privilege, user, table] = ofTable.exec(message) ?? []
  if (user !== undefined && table !== undefined) return { privilege, user, on: table.replace(/[`']/g, '') }
  const [, whom, database] = ofDatabase.exec(message) ?? []
  return whom === undefined || database === undefined
    ? undefined
    : { privilege: undefined, user: whom, on: `${database}.*` }
}

/** Names of errors of MariaDB for which the driver has none, or that of another error of MySQL. */
const mariaDbNames: ReadonlyMap<number | undefined, string> = new Map([
  [1927, 'ER_CONNECTION_KILLED'],
  [1969, 'ER_STATEMENT_TIMEOUT'],
  [4151, 'ER_ACCOUNT_HAS_BEEN_LOCKED'],
])

type DriverError = Readonly<{
  message?: string
  sqlMessage?: string
  code?: string | number
  errno?: number
  sqlState?: string
  /** Only errors that PostgreSQL sent have it; their code is the SQLSTATE. */
  severity?: string
  fatal?: boolean
  limitBytes?: number
  stack?: string
}>

/** The code and the database's message. Quoted parts may be values of a payload, so they are left out. */
const cleanMessage = (error: DriverError, { code, denied }: DatabaseError): string => {
  const words =
    denied === undefined
      ? (error.sqlMessage ?? error.message ?? 'failed').replace(/'.*'/s, "'…'").replace(/".*"/s, '"…"')
      : `${denied.privilege ?? 'every'} privilege on ${denied.on} is denied to ${denied.user}`
  return code === undefined ? words : `${code}: ${words}`
}

/** An error of the driver that is safe to log: no SQL and no values. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError'
  readonly code: string | undefined
  readonly errno: number | undefined
  readonly sqlState: string | undefined
  /** The right that the user lacks, and on what. All fields are names: no statement and no value. */
  readonly denied:
    | Readonly<{
        /** Such as `INSERT`; undefined where the whole database is refused. */
        privilege: string | undefined
        /** As the server names it: `'import'@'localhost'`. */
        user: string
        /** A table, with its database where the server names it, or a database. */
        on: string
      }>
    | undefined
  /** The size of a statement that the server takes at most, where the statement was larger; undefined for other errors. */
  readonly limitBytes: number | undefined
  /** The user for whom no session could be opened; absent from other errors. */
  user?: string | undefined
  /** Whether the connection is broken. */
  readonly fatal: boolean

  /** Wraps a thrown value; returns a `DatabaseError` unchanged. */
  static of(thrown: unknown): DatabaseError {
    return thrown instanceof DatabaseError ? thrown : new DatabaseError(thrown)
  }

  constructor(thrown: unknown) {
    super()
    const error: DriverError = typeof thrown === 'object' && thrown !== null ? thrown : {}
    this.denied = deniedIn(error.sqlMessage ?? '')
    const code = mariaDbNames.get(error.errno) ?? error.code
    this.code = code === undefined ? undefined : String(code)
    const message = cleanMessage(error, this)
    // Knex prepends the SQL to the message of every error, so assignments to the message have no effect.
    Object.defineProperty(this, 'message', { get: () => message, set: (): void => {} })
    this.errno = error.errno
    this.sqlState = error.sqlState ?? (error.severity === undefined ? undefined : this.code)
    this.limitBytes = error.limitBytes
    this.fatal = error.fatal === true
    const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
    this.stack = [`${this.name}: ${message}`, ...frames].join('\n')
  }
}
