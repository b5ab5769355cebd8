import { StartError } from './start-error.js'

const advice: Readonly<Record<string, string>> = {
  ER_ACCESS_DENIED_ERROR: 'The database refuses the user or the password. Correct them in DATABASE_URL.',
  ER_DBACCESS_DENIED_ERROR: 'The user may not use this database. Grant it, or correct DATABASE_URL.',
  ER_BAD_DB_ERROR: 'The database that DATABASE_URL names does not exist. Create it, or correct the name.',
  SQLITE_CANTOPEN:
    'The database file cannot be opened. Make the folder that DATABASE_URL or DATA_DIR names, and let this user write in it.',
  SQLITE_NOTADB: 'The database file is not a SQLite database. Check DATABASE_URL or DATA_DIR.',
}

const unreachable =
  /^(ECONN|EHOST|ENET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|PROTOCOL_CONNECTION_LOST|ER_CON_COUNT|ER_SERVER_SHUTDOWN)/

const timedOut = (cause: unknown): boolean => cause instanceof Error && cause.name === 'KnexTimeoutError'

/** The driver's error code: for people and logs. Messages of drivers may hold SQL and are never shown. */
export const databaseErrorCode = (cause: unknown): string => {
  if (timedOut(cause)) return 'ETIMEDOUT'
  if (typeof cause === 'object' && cause !== null && 'code' in cause && typeof cause.code === 'string')
    return cause.code
  return 'no code'
}

/** What an operator is told when the database does not work. */
export const databaseError = (cause: unknown): StartError => {
  const code = databaseErrorCode(cause)
  const known = advice[code]
  if (known !== undefined) return new StartError('database_unavailable', known, cause)
  return unreachable.test(code)
    ? new StartError(
        'database_unavailable',
        `The database cannot be reached (${code}). Check DATABASE_URL, and that the server is running.`,
        cause,
      )
    : new StartError('database_fault', `The database answered with an unexpected fault (${code}).`, cause)
}
