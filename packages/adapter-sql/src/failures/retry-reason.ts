import { dialects } from '../dialects/dialects.js'
import type { RetryReason } from '../dialects/sql-dialect.js'
import { DatabaseError } from '../drivers/database-error.js'
import { LostRace } from './lost-race.js'

/** Why the database asks for the work to be run again; undefined when that would not help. */
export const retryReasonOf = (cause: unknown): RetryReason | undefined => {
  if (cause instanceof LostRace) return 'deadlock'
  if (!(cause instanceof DatabaseError)) return undefined
  for (const { errors } of dialects) {
    const reason = errors.retryReasonOf(cause)
    if (reason !== undefined) return reason
  }
  return undefined
}
