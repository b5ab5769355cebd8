import type { ClaimRequest } from '@account-import/core'
import { caseOf, filledUp, instant, placeholders, tables } from '../sql/rows.js'
import type { Db } from '../sql/session.js'
import type { LockedImport } from './import-rows.js'

type SlotRow = Readonly<{ slot: number }>

/** Locks free and expired slots below the limit, at most `count`, until the transaction ends. */
const lockFree = async (
  db: Db,
  { at }: ClaimRequest,
  limit: number,
  count: number,
): Promise<readonly number[]> => {
  const rows = await db.select<SlotRow>(
    `SELECT slot FROM ${tables.processingSlots} WHERE slot < ? AND (claim_token IS NULL OR expires_at <= ?) ` +
      `ORDER BY slot LIMIT ? ${db.dialect.forUpdate}`,
    [limit, instant.write(at), count],
  )
  return rows.map(({ slot }) => slot)
}

/** Inserts the rows of slots below the limit that do not exist. False when there are all of them. */
const insertMissing = async (db: Db, limit: number): Promise<boolean> => {
  const rows = await db.select<SlotRow>(`SELECT slot FROM ${tables.processingSlots} WHERE slot < ?`, [limit])
  const known = new Set(rows.map(({ slot }) => slot))
  const missing = Array.from({ length: limit }, (_, slot) => slot).filter((slot) => !known.has(slot))
  if (missing.length === 0) return false
  // A slot that another server inserts at the same time is not changed.
  const orKeep = db.dialect.orUpdate(['slot'], (incoming) => [['slot', incoming('slot')]])
  await db.raw(
    `INSERT INTO ${tables.processingSlots} (slot) VALUES ${missing.map(() => '(?)').join(', ')} ${orKeep}`,
    missing,
  )
  return true
}

/**
 * Takes a slot below the limit for each claim, as long as there are free ones, and returns the claims that got one. Their imports
 * are locked already: all transactions lock imports before slots, so that none deadlock.
 */
export const takeSlots = async (
  db: Db,
  claims: readonly ClaimRequest[],
  limit: number,
): Promise<readonly ClaimRequest[]> => {
  const [first] = claims
  if (first === undefined) return []
  let slots = await lockFree(db, first, limit, claims.length)
  if (slots.length < claims.length && (await insertMissing(db, limit)))
    slots = await lockFree(db, first, limit, claims.length)
  const taken = claims.slice(0, slots.length)
  if (taken.length === 0) return []
  const list = filledUp(taken.map((claim, index) => ({ claim, slot: slots[index] as number })))
  await db.raw(
    `UPDATE ${tables.processingSlots} SET claim_token = ${caseOf('slot', list.length)}, ` +
      `expires_at = ${caseOf('slot', list.length, 'expires_at')} WHERE slot IN (${placeholders(list.length)})`,
    [
      ...list.flatMap(({ claim, slot }) => [slot, claim.token]),
      ...list.flatMap(({ claim, slot }) => [slot, instant.write(claim.expiresAt)]),
      ...list.map(({ slot }) => slot),
    ],
  )
  return taken
}

/** Frees the slots that claims of locked imports still hold. */
export const freeSlots = async (db: Db, rows: readonly (LockedImport | undefined)[]): Promise<void> => {
  const tokens = rows.flatMap((row) => (row?.holds_slot && row.claim_token !== null ? [row.claim_token] : []))
  if (tokens.length === 0) return
  const list = filledUp(tokens)
  await db.change(
    `UPDATE ${tables.processingSlots} SET claim_token = NULL, expires_at = NULL ` +
      `WHERE claim_token IN (${placeholders(list.length)})`,
    list,
  )
}
