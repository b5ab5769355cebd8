import type { Turn, Turns } from '@account-import/core'
import { unlessDuplicate } from '../failures/duplicate.js'
import { sqlPortCall } from '../failures/sql-port-call.js'
import { toSqlInstant } from '../rows/instants.js'
import { tables } from '../rows/tables.js'
import type { Session } from '../session/session.js'
import { insertRows } from '../statements/insert-rows.js'
import { updateRows } from '../statements/update-rows.js'

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
