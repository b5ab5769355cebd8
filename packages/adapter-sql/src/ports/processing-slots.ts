import type { ClaimRequest } from '@account-import/core'
import { fromSqlInstant, tables, toSqlInstant } from '../sql/rows.js'
import type { Db } from '../sql/session.js'

const take = {
  table: tables.processingSlots,
  set: 'claim_token = ?, expires_at = ?',
  where: 'slot < ? AND (claim_token IS NULL OR expires_at <= ?)',
  key: 'slot',
}

const takenText = `SELECT slot FROM ${tables.processingSlots} WHERE claim_token = ?`

/** Takes one free slot of those below the limit for the claim. An expired one is free. False when there is none. */
export const takeSlot = async (
  db: Db,
  { token, at, expiresAt }: ClaimRequest,
  limit: number,
): Promise<boolean> => {
  await db.raw(db.dialect.updateFirst(take), [token, toSqlInstant(expiresAt), limit, toSqlInstant(at)])
  return (await db.select(takenText, [token])).length > 0
}

const freeText = `UPDATE ${tables.processingSlots} SET claim_token = NULL, expires_at = NULL WHERE claim_token = ?`

/** Gives the claim's slot back, if it still has it. */
export const freeSlot = async (db: Db, token: string): Promise<void> => {
  await db.raw(freeText, [token])
}

type SlotRow = Readonly<{ expires_at: string | null }>

const slotsText = `SELECT expires_at FROM ${tables.processingSlots} WHERE slot < ?`

/** Whether a slot below the limit is free now; those that are not there yet are made, and free. */
export const hasFreeSlot = async (db: Db, { at }: ClaimRequest, limit: number): Promise<boolean> => {
  const known = await db.select<SlotRow>(slotsText, [limit])
  if (known.length === limit)
    return known.some(({ expires_at }) => expires_at === null || fromSqlInstant(expires_at) <= at)
  // One that is there, or that another server makes at the same time, stays as it is.
  const orKeep = db.dialect.orUpdate(['slot'], (incoming) => [['slot', incoming('slot')]])
  const slots = Array.from({ length: limit }, (_, slot) => slot)
  await db.raw(
    `INSERT INTO ${tables.processingSlots} (slot) VALUES ${slots.map(() => '(?)').join(', ')} ${orKeep}`,
    slots,
  )
  return true
}
