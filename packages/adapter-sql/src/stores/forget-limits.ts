import type { Instant } from '@account-import/core'
import { toSqlInstant } from '../rows/instants.js'
import type { RateLimitRow } from '../rows/rate-limits.js'
import { tables } from '../rows/tables.js'
import type { Session } from '../session/session.js'
import { selectRows } from '../statements/select-rows.js'
import { updateRows } from '../statements/update-rows.js'

type Expired = Pick<RateLimitRow, 'subject' | 'begins_at'>

/**
 * Removes windows of limits that have expired, found by the index on their end and removed by their keys, each in a statement
 * of its own, so that nothing is locked meanwhile. How many it found, at most `limit`.
 */
export const forgetLimits = async (
  { dialect, query }: Session,
  at: Instant,
  limit: number,
): Promise<number> => {
  const end = toSqlInstant(at)
  const find =
    `SELECT subject, begins_at FROM ${dialect.inOrderOf(tables.rateLimits, 'rate_limits_by_end')} ` +
    `WHERE expires_at <= ? ORDER BY expires_at LIMIT ${limit}`
  const expired = await query((db) => selectRows<Expired>(db, find, [end]))
  const remove = `DELETE FROM ${tables.rateLimits} WHERE subject = ? AND begins_at = ? AND expires_at <= ?`
  for (const { subject, begins_at } of expired)
    await query((db) => updateRows(db, remove, [subject, begins_at, end]))
  return expired.length
}
