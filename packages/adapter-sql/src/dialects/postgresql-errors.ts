import type { DatabaseError } from '../drivers/database-error.js'
import type { RetryReason, SqlDialect } from './sql-dialect.js'

/** An error of a server that takes no writes any more, or goes down. */
export const isOfNoPrimary = ({ code = '' }: DatabaseError): boolean => /^(?:25006|57P0[123])$/.test(code)

const retryReasons: ReadonlyMap<string | undefined, RetryReason> = new Map([
  ['40001', 'deadlock'], // the transactions cannot be put in an order
  ['40P01', 'deadlock'],
  ['55P03', 'lock_wait'],
  ['57014', 'lock_wait'], // a limit of time of the server, which mostly ends a wait for a lock
  ['25006', 'read_only'], // the next connection goes to the new primary
])

/**
 * Errors of a server that stops, starts or is full, or that ended a connection: the classes 08 (connections), 53 (too many of them, or
 * no room) and 58 (the system), and single ones.
 */
const unavailable = new RegExp(
  `^(?:08|53|58)|^(?:${[
    '25P03', // idle in a transaction for too long
    '42501', // the user lacks a right, until an administrator grants it
    '57P0[1-5]', // an administrator, a crash, a start, a dropped database, an idle connection
  ].join('|')})$`,
)

/** The meaning of errors of PostgreSQL, which are known by their SQLSTATE. */
export const postgresqlErrors: SqlDialect['errors'] = {
  isDuplicate: ({ code }) => code === '23505',
  isNull: ({ code }) => code === '23502',
  retryReasonOf: ({ code }) => retryReasons.get(code),
  isTooLarge: ({ code }) => code === '54000',
  isUnavailable: ({ code, sqlState }) => sqlState !== undefined && unavailable.test(code ?? ''),
}
