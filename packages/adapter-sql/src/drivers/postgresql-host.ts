import type { Duplex } from 'node:stream'
import type { Client, ClientConfig } from 'pg'
import { DatabaseError } from './database-error.js'
import { newClient } from './postgresql-session.js'
import { type Host, type HostOptions, readOnly } from './primary.js'

/** A connection of the driver; its published type leaves the stream out. */
export type PostgresqlConnection = Client & Readonly<{ connection: Readonly<{ stream: Duplex }> }>

/** The driver reports these faults, and all of a lost connection, by a message alone. */
const codes: readonly (readonly [message: RegExp, code: string])[] = [
  [/does not support SSL/, 'HANDSHAKE_NO_SSL_SUPPORT'],
  [/^timeout expired$/, 'ETIMEDOUT'],
  [/^Connection terminated|not queryable|^the server does not answer/, 'PROTOCOL_CONNECTION_LOST'],
]

/** The codes of OpenSSL and Node for certificates. */
const ofCertificate = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS/

/** An error of the driver as a `DatabaseError`. */
export const postgresqlError = (thrown: unknown): DatabaseError => {
  if (thrown instanceof DatabaseError || !(thrown instanceof Error)) return DatabaseError.of(thrown)
  const { code } = thrown as Readonly<{ code?: string }>
  const known =
    code === undefined
      ? codes.find(([message]) => message.test(thrown.message))?.[1]
      : ofCertificate.test(code)
        ? 'HANDSHAKE_SSL_ERROR'
        : code
  return DatabaseError.of(Object.assign(thrown, known !== undefined && { code: known }))
}

type State = Readonly<{ version: number; encoding: string; is_standby: boolean; is_read_only: boolean }>

const stateText =
  "SELECT CAST(current_setting('server_version_num') AS INTEGER) AS version, current_setting('server_encoding') AS encoding, " +
  "pg_is_in_recovery() AS is_standby, current_setting('transaction_read_only') = 'on' AS is_read_only"

const oldest = 140_000

const stateOf = async (connection: PostgresqlConnection, limitMilliseconds: number): Promise<State> => {
  const timer = setTimeout(
    () => connection.connection.stream.destroy(new Error('the server does not answer')),
    limitMilliseconds,
  )
  try {
    const { rows } = await connection.query<State>(stateText)
    return rows[0] as State
  } catch (cause) {
    throw postgresqlError(cause)
  } finally {
    clearTimeout(timer)
  }
}

const refused = (code: string, message: string): DatabaseError => new DatabaseError({ code, message })

/** Rejects what no later attempt changes: a server that is too old, and a database that cannot hold all texts. */
const assertUsable = ({ version, encoding }: State): void => {
  if (version < oldest)
    throw refused(
      'DATABASE_TOO_OLD',
      `the server is PostgreSQL ${Math.floor(version / 10_000)}, not 14 or later`,
    )
  if (encoding !== 'UTF8')
    throw refused('DATABASE_ENCODING', `the encoding of the database is ${encoding}, not UTF8`)
}

/** A server of a PostgreSQL URL. */
export const postgresqlHost = (
  settings: ClientConfig,
  { onlyReads, limitMilliseconds, onLost }: HostOptions<PostgresqlConnection>,
): Host<PostgresqlConnection> => {
  const assertTakesWrites = ({ is_standby, is_read_only }: State): void => {
    if (!onlyReads && (is_standby || is_read_only)) throw readOnly()
  }
  const open = async (): Promise<PostgresqlConnection> => {
    const connection = newClient({
      ...settings,
      connectionTimeoutMillis: limitMilliseconds,
    }) as PostgresqlConnection
    // A connection that is ended while it is idle raises an event, and without a listener the process ends.
    connection.on('error', () => onLost(connection))
    connection.on('end', () => onLost(connection))
    try {
      await connection.connect()
      const state = await stateOf(connection, limitMilliseconds)
      assertUsable(state)
      assertTakesWrites(state)
      return connection
    } catch (cause) {
      connection.connection.stream.destroy()
      throw postgresqlError(cause)
    }
  }
  return {
    open,
    check: async (connection) => assertTakesWrites(await stateOf(connection, limitMilliseconds)),
    answers: async () => {
      const connection = await open()
      await connection.end()
    },
    breakOff: ({ connection }, error) => connection.stream.destroy(error),
  }
}
