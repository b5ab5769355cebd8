import type { ClaimRequest } from '@account-import/core'
import type { Knex } from 'knex'
import type { SqlDialect } from '../dialects/sql-dialect.js'
import { toSqlInstant } from '../rows/instants.js'
import { tables } from '../rows/tables.js'
import type { Statements } from '../session/statements.js'

const take = {
  table: tables.processingSlots,
  set: 'claim_token = ?, expires_at = ?',
  where: 'slot < ? AND (claim_token IS NULL OR expires_at <= ?)',
  key: 'slot',
}

/** Takes one free slot of those below the limit for the claim. An expired one is free. False when there is none. */
export const takeSlot = async (
  db: Knex,
  dialect: SqlDialect,
  { token, at, expiresAt }: ClaimRequest,
  limit: number,
): Promise<boolean> => {
  await db.raw(dialect.updateFirst(take), [token, toSqlInstant(expiresAt), limit, toSqlInstant(at)])
  const taken: unknown = await db(tables.processingSlots).where({ claim_token: token }).first('slot')
  return taken !== undefined
}

/** Gives the claim's slot back, if it still has it. */
export const freeSlot = async (db: Statements, token: string): Promise<void> => {
  await db.raw(
    `UPDATE ${tables.processingSlots} SET claim_token = NULL, expires_at = NULL WHERE claim_token = ?`,
    [token],
  )
}

const makeMissingSlots = async (db: Knex, limit: number): Promise<void> => {
  const known = await db(tables.processingSlots).where('slot', '<', limit).pluck<number[]>('slot')
  const have = new Set(known)
  const missing = Array.from({ length: limit }, (_, slot) => ({ slot })).filter(({ slot }) => !have.has(slot))
  if (missing.length > 0) await db(tables.processingSlots).insert(missing).onConflict('slot').ignore()
}

/** Makes the slots below the limit that are not there yet, and says whether one of them is free now. */
export const hasFreeSlot = async (db: Knex, { at }: ClaimRequest, limit: number): Promise<boolean> => {
  await makeMissingSlots(db, limit)
  const [taken] = await db(tables.processingSlots)
    .where('slot', '<', limit)
    .where('expires_at', '>', toSqlInstant(at))
    .count({ slots: '*' })
  return Number(taken?.['slots']) < limit
}
