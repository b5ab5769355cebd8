import type { Turn, Turns } from '@account-import/core'
import { sqlPort, unlessDuplicate } from '../sql/failures.js'
import { tables, toSqlInstant } from '../sql/rows.js'
import type { Session } from '../sql/session.js'

const takeText = `UPDATE ${tables.turns} SET token = ?, ends_at = ? WHERE job = ? AND (token = ? OR ends_at <= ?)`

/** The update decides, and the key of the table where there is no row yet. Nothing is locked in between. */
const take = async ({ query }: Session, { job, token, at, endsAt }: Turn): Promise<boolean> => {
  const end = toSqlInstant(endsAt)
  const bindings = [token, end, job, token, toSqlInstant(at)]
  if ((await query((db) => db.change(takeText, bindings))) === 1) return true
  return unlessDuplicate(async () => {
    await query((db) => db.insert(tables.turns, [{ job, token, ends_at: end }]))
    return true
  }, false)
}

export const sqlTurns = (session: Session): Turns =>
  sqlPort<Turns>('turns', { take: (turn) => take(session, turn) })
