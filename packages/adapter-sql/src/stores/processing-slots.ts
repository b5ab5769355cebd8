import type { ClaimRequest } from '@account-import/core'
import type { SqlDialect } from '../dialects/sql-dialect.js'
import { toSqlInstant } from '../rows/instants.js'
import { tables } from '../rows/tables.js'
import type { Statements } from '../session/statements.js'
import { selectRows } from '../statements/select-rows.js'

const take = {
  table: tables.processingSlots,
  set: 'claim_token = ?, expires_at = ?',
  where: 'slot < ? AND (claim_token IS NULL OR expires_at <= ?)',
  key: 'slot',
}

const takenText = `SELECT slot FROM ${tables.processingSlots} WHERE claim_token = ?`

/** Takes one free slot of those below the limit for the claim. An expired one is free. False when there is none. */
export const takeSlot = async (
  db: Statements,
  dialect: SqlDialect,
  { token, at, expiresAt }: ClaimRequest,
  limit: number,
): Promise<boolean> => {
  await db.raw(dialect.updateFirst(take), [token, toSqlInstant(expiresAt), limit, toSqlInstant(at)])
  return (await selectRows(db, takenText, [token])).length > 0
}

const freeText = `UPDATE ${tables.processingSlots} SET claim_token = NULL, expires_at = NULL WHERE claim_token = ?`

/** Gives the claim's slot back, if it still has it. */
export const freeSlot = async (db: Statements, token: string): Promise<void> => {
  await db.raw(freeText, [token])
}

const knownText = `SELECT slot FROM ${tables.processingSlots} WHERE slot < ?`

const makeMissingSlots = async (db: Statements, dialect: SqlDialect, limit: number): Promise<void> => {
  const known = await selectRows<Readonly<{ slot: number }>>(db, knownText, [limit])
  const have = new Set(known.map(({ slot }) => slot))
  const missing = Array.from({ length: limit }, (_, slot) => slot).filter((slot) => !have.has(slot))
  if (missing.length === 0) return
  // One that another server makes at the same time stays as it is.
  const orKeep = dialect.orUpdate(['slot'], (incoming) => [['slot', incoming('slot')]])
  const rows = missing.map(() => '(?)').join(', ')
  await db.raw(`INSERT INTO ${tables.processingSlots} (slot) VALUES ${rows} ${orKeep}`, missing)
}

const liveText = `SELECT COUNT(*) AS slots FROM ${tables.processingSlots} WHERE slot < ? AND expires_at > ?`

/** Makes the slots below the limit that are not there yet, and says whether one of them is free now. */
export const hasFreeSlot = async (
  db: Statements,
  dialect: SqlDialect,
  { at }: ClaimRequest,
  limit: number,
): Promise<boolean> => {
  await makeMissingSlots(db, dialect, limit)
  const [taken] = await selectRows<Readonly<{ slots: number }>>(db, liveText, [limit, toSqlInstant(at)])
  return Number(taken?.slots) < limit
}
