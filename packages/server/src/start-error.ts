/** Why the service cannot be opened. */
export type StartFailureCode =
  | 'configuration_not_valid'
  | 'no_data'
  | 'data_folder_not_usable'
  | 'signing_key_not_usable'
  | 'audit_key_not_usable'
  | 'encryption_key_missing'
  | 'database_unavailable'
  | 'database_fault'
  | 'database_of_unreleased_build'
  | 'migrations_pending'
  | 'migrations_locked'
  | 'migrations_of_later_version'
  | 'document_storage_not_usable'
  | 'address_not_usable'
  | 'module_not_usable'
  | 'thread_missing'

/**
 * The service cannot be opened as configured. The message is for people, with the remedy and without secrets; `cause` is the
 * error of the system.
 */
export class StartError extends Error {
  readonly code: StartFailureCode

  constructor(code: StartFailureCode, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'StartError'
    this.code = code
  }
}

const advice: Readonly<Record<string, string>> = {
  ER_ACCESS_DENIED_ERROR: 'The database refuses the user or the password. Correct them in DATABASE_URL.',
  ER_DBACCESS_DENIED_ERROR: 'The user may not use this database. Grant it, or correct DATABASE_URL.',
  ER_TABLEACCESS_DENIED_ERROR: 'The user lacks rights on tables. Grant them.',
  ER_BAD_DB_ERROR: 'The database that DATABASE_URL names does not exist. Create it, or correct the name.',
  ER_MAX_PREPARED_STMT_COUNT_REACHED:
    'The database server keeps no more prepared statements. Raise max_prepared_stmt_count there, or lower DATABASE_POOL.',
  DATABASE_READ_ONLY:
    'The database takes no writes: read_only is set there, as on a secondary. Name the server that takes writes in' +
    ' DATABASE_URL, or all servers of the cluster with commas between them.',
  DATABASE_NOT_IN_CLUSTER:
    'The database server is not in its cluster, or the cluster has lost its majority. See its own log.',
  HANDSHAKE_SSL_ERROR:
    'The certificate of the database server is not trusted, or has another name than the host in DATABASE_URL. Name the host as' +
    ' the certificate does, and the file of its authority by ?tls-ca=FILE.',
  HANDSHAKE_NO_SSL_SUPPORT:
    'The database server offers no TLS. Switch it on there; to do without, add ?tls=off to DATABASE_URL.',
  '28P01': 'The database refuses the user or the password. Correct them in DATABASE_URL.',
  '28000':
    'The database refuses the user, or connections from this address. Correct DATABASE_URL, or pg_hba.conf there.',
  '3D000': 'The database that DATABASE_URL names does not exist. Create it, or correct the name.',
  '42501':
    'The user lacks a right in the database. An administrator makes it the owner: ALTER DATABASE <database> OWNER TO <user>;',
  '53300':
    'The database server takes no more connections. Raise max_connections there, or lower DATABASE_POOL.',
  SQLITE_CANTOPEN:
    'The database file cannot be opened. Make the folder that DATABASE_URL or DATA_DIR names, and let this user write in it.',
  SQLITE_FULL: 'The disk of the database file is full. Make room on it.',
  SQLITE_READONLY:
    'The database file may not be written by this user. Let this user write in it and in its folder.',
  SQLITE_NOTADB: 'The database file is not a SQLite database. Check DATABASE_URL or DATA_DIR.',
}

/** A new login of the user by a plugin that the driver has, on each server. */
const passwords =
  " ALTER USER … IDENTIFIED BY '…'; on MySQL (caching_sha2_password), or IDENTIFIED VIA mysql_native_password USING" +
  " PASSWORD('…'); on MariaDB."

/** The fault of the user for whom no session could be opened, and the remedy of an administrator. */
const userFaults: Readonly<Record<string, string>> = {
  ER_ACCOUNT_HAS_BEEN_LOCKED: 'is locked. An administrator unlocks it: ALTER USER … ACCOUNT UNLOCK;',
  ER_MUST_CHANGE_PASSWORD: `has an expired password. An administrator sets a new one for DATABASE_URL:${passwords}`,
  AUTH_SWITCH_PLUGIN_ERROR: `logs in by a plugin that the driver does not have. An administrator changes that:${passwords}`,
}

/** The text for such a user; undefined for other errors. */
const userText = (cause: unknown, code: string): string | undefined => {
  const fault = userFaults[code.replace(/_LOGIN$/, '')]
  if (fault === undefined || !(cause instanceof Error && 'user' in cause)) return undefined
  return `The database user '${String(cause.user)}' ${fault.replace('…', `'${String(cause.user)}'@'<host>'`)}`
}

/**
 * A missing right, as the SQL adapter reports it. Not imported from the adapter, which commands without a database do not load.
 */
type Denied = Readonly<{ privilege: string | undefined; user: string; on: string }>

/**
 * The account for GRANT. An error about a database contains the account; an error about a table contains the host of the
 * connection, which is seldom the host of the account: a GRANT to it would fail, as there is no such account.
 */
const account = ({ user, on }: Denied): string =>
  on.endsWith('.*') ? user : user.replace(/@'[^']*'$/, "@'%'")

/** The statement for an administrator, for the whole database, as rights on the other tables are missing too. */
const grant = (denied: Denied): string => {
  const { privilege, on } = denied
  const [database, table] = on.split('.')
  const ofServer = database === 'performance_schema'
  const where = ofServer ? on : `${table === undefined ? '<database>' : database}.*`
  const rights = 'SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, DROP, INDEX, REFERENCES'
  return `GRANT ${ofServer ? (privilege ?? 'SELECT') : rights} ON ${where} TO ${account(denied)};`
}

const deniedText = (denied: Denied): string =>
  `The database refuses ${denied.privilege ?? 'everything'} on ${denied.on} to ${denied.user}.` +
  ` An administrator grants what the service needs, to the user with the host it was created with: ${grant(denied)}`

const deniedOf = (cause: unknown): Denied | undefined =>
  cause instanceof Error && cause.name === 'DatabaseError' && 'denied' in cause
    ? (cause.denied as Denied | undefined)
    : undefined

const unreachable =
  /^(ECONN|EHOST|ENET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|PROTOCOL_CONNECTION_LOST|ER_CON_COUNT|ER_SERVER_SHUTDOWN|08|57P)/

const timedOut = (cause: unknown): boolean => cause instanceof Error && cause.name === 'KnexTimeoutError'

/** The driver's error code, for people and logs. Messages of drivers may contain SQL and are never shown. */
export const databaseErrorCode = (cause: unknown): string => {
  if (timedOut(cause)) return 'ETIMEDOUT'
  if (typeof cause === 'object' && cause !== null && 'code' in cause && typeof cause.code === 'string')
    return cause.code
  return 'no code'
}

/** Faults that have a code of their own. `difference`: the message of the adapter, which names tables and columns only. */
const named: Readonly<
  Record<string, readonly [code: StartFailureCode, detail: (difference: string) => string]>
> = {
  ENCRYPTION_KEY_MISSING: [
    'encryption_key_missing',
    () => 'Encrypted data cannot be decrypted: its key is not among ENCRYPTION_KEYS. Add it there.',
  ],
  DATABASE_TOO_OLD: [
    'configuration_not_valid',
    () => 'DATABASE_URL names a server before PostgreSQL 14. Name a later one.',
  ],
  DATABASE_ENCODING: [
    'configuration_not_valid',
    () =>
      "DATABASE_URL names a database whose encoding is not UTF8. Create one: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0;",
  ],
  DATABASE_OF_UNRELEASED_BUILD: [
    'database_of_unreleased_build',
    (difference) =>
      `The tables of this database are not those of this version: ${difference}. They were made by a build before the first` +
      ' release, or were changed since. Nothing was changed now. Restore what was changed; or name another database in' +
      ' DATABASE_URL, or an empty DATA_DIR, and import the accounts again.',
  ],
}

/** Messages for an operator when the database does not work. */
export const databaseError = (cause: unknown): StartError => {
  if (cause instanceof StartError) return cause
  const code = databaseErrorCode(cause)
  const own = named[code]
  if (own !== undefined)
    return new StartError(own[0], own[1](cause instanceof Error ? cause.message : ''), cause)
  const denied = deniedOf(cause)
  const message = denied === undefined ? (userText(cause, code) ?? advice[code]) : deniedText(denied)
  if (message !== undefined) return new StartError('database_unavailable', message, cause)
  return unreachable.test(code)
    ? new StartError(
        'database_unavailable',
        `The database cannot be reached (${code}). Check DATABASE_URL, and that the server is running.`,
        cause,
      )
    : new StartError('database_fault', `The database answered with an unexpected fault (${code}).`, cause)
}
