import type { DatabaseError } from '../drivers/database-error.js'
import type { RetryReason, SqlDialect } from './sql-dialect.js'

export const packetTooLarge = 1153

/** Errors of a server that takes no writes any more, or has left its cluster. */
export const ofNoPrimary: ReadonlySet<number | undefined> = new Set([
  1047, // Galera: the node is not ready
  1290, // an option prevents it: read_only
  1836, // read-only mode
  3100, // Group Replication: the hook before a commit failed
  3101, // Group Replication: rolled back during the commit
])

const retryReasons: ReadonlyMap<number | undefined, RetryReason> = new Map([
  [1213, 'deadlock'], // also a certification failure of Galera
  [1020, 'deadlock'], // MariaDB's snapshot isolation
  [1205, 'lock_wait'],
  [1969, 'lock_wait'], // MariaDB's limit of time, which mostly ends a wait for a lock
  [3024, 'lock_wait'], // MySQL's
  [1047, 'certification'], // the Galera node is not ready
  [1290, 'read_only'], // the next connection goes to the new primary
  [1836, 'read_only'],
])

/** Error codes, of the driver or of this adapter, of a server that cannot be used now. */
const unavailableCodes: ReadonlySet<string | undefined> = new Set([
  'PROTOCOL_CONNECTION_LOST',
  'PROTOCOL_SEQUENCE_TIMEOUT', // no answer in time
  'DATABASE_READ_ONLY',
  'DATABASE_NOT_IN_CLUSTER',
])

/**
 * Errors of a server that stops, starts or is full, or that ended a query. They are numbers: the driver's names are MySQL's, and
 * some errors of MariaDB have none.
 */
const unavailableNumbers: ReadonlySet<number | undefined> = new Set([
  1021, // the disk is full
  1040, // too many connections
  1053, // shutting down
  1077, // the same
  1142, // the user lacks a right, until an administrator grants it
  1143, // the same for a column
  1114, // a table, its file or its disk has no more room
  1203, // too many connections of this user
  1226, // the user has used up a limit of the server
  1461, // max_prepared_stmt_count is reached
  1158, // Spider: the connection to a data node broke
  1159, // the same, after its time limit
  1160, // the same, while the head sent
  1161, // the same
  1429, // Spider: a data node cannot be reached
  12_701, // Spider: a data node has gone away
  1317, // an operator ended the statement, or the server did before it went down
  1927, // an operator ended the connection (MariaDB)
  // The node left its group during a commit: the outcome is unknown until the client asks again.
  1180,
  3100,
  3101,
])

/** Handshake errors that remain until the configuration is corrected. */
const misconfigured: ReadonlySet<string | undefined> = new Set([
  'ER_ACCESS_DENIED_ERROR',
  'ER_DBACCESS_DENIED_ERROR',
  'ER_BAD_DB_ERROR',
])

const isUnavailable = ({ code, errno, fatal, message }: DatabaseError): boolean =>
  unavailableCodes.has(code) ||
  unavailableNumbers.has(errno) ||
  (fatal && !misconfigured.has(code)) ||
  /connection is in closed state/.test(message)

/** The meaning of errors of MySQL, MariaDB and their driver. */
export const mysqlErrors: SqlDialect['errors'] = {
  isDuplicate: ({ errno }) => errno === 1062,
  isNull: ({ errno }) => errno === 1048,
  retryReasonOf: ({ errno }) => retryReasons.get(errno),
  isTooLarge: ({ errno }) => errno === packetTooLarge,
  isUnavailable,
}
