import type { Turn, Turns } from '@account-import/core'
import { sqlPortCall, unlessDuplicate } from '../sql/failures.js'
import { tables, toSqlInstant } from '../sql/rows.js'
import type { Session } from '../sql/session.js'
import { insertRows, updateRows } from '../sql/sql.js'

const takeText = `UPDATE ${tables.turns} SET token = ?, ends_at = ? WHERE job = ? AND (token = ? OR ends_at <= ?)`

/** The update decides, and the key of the table where there is no row yet. Nothing is locked in between. */
const take = async ({ dialect, query }: Session, { job, token, at, endsAt }: Turn): Promise<boolean> => {
  const end = toSqlInstant(endsAt)
  const bindings = [token, end, job, token, toSqlInstant(at)]
  if ((await query((db) => updateRows(db, takeText, bindings))) === 1) return true
  return unlessDuplicate(async () => {
    await query((db) => insertRows(db, dialect, tables.turns, [{ job, token, ends_at: end }]))
    return true
  }, false)
}

const call = sqlPortCall('turns')

export const sqlTurns = (session: Session): Turns => ({
  take: (turn) => call('take', () => take(session, turn)),
})
