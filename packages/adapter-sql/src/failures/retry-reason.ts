import { DatabaseError } from '../connect/database-error.js'

/** Why a database asks for the whole transaction to be run again. */
export type RetryReason = 'deadlock' | 'lock_wait' | 'certification' | 'busy'

const byNumber: ReadonlyMap<number, RetryReason> = new Map([
  [1213, 'deadlock'], // also a certification failure of Galera
  [1020, 'deadlock'], // MariaDB's snapshot isolation
  [1205, 'lock_wait'],
  [1047, 'certification'], // the Galera node is not ready
])

/** The reason, or undefined when running again would not help. */
export const retryReasonOf = (cause: unknown): RetryReason | undefined => {
  if (!(cause instanceof DatabaseError)) return undefined
  if (cause.code?.startsWith('SQLITE_BUSY') === true || cause.code?.startsWith('SQLITE_LOCKED') === true)
    return 'busy'
  return cause.errno === undefined ? undefined : byNumber.get(cause.errno)
}
