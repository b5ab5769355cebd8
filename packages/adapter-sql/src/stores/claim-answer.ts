import type { AnswerClaim, AnswerClaimed, Instant } from '@account-import/core'
import type { DataKeys } from '../encryption/data-keys.js'
import { unlessDuplicate } from '../failures/duplicate.js'
import { toSqlInstant, fromSqlInstant } from '../rows/instants.js'
import { answerClaimRow, keptAnswerOf, type KeptAnswerRow } from '../rows/kept-answers.js'
import { tables } from '../rows/tables.js'
import type { Session } from '../session/session.js'
import type { Statements } from '../session/statements.js'
import { insertRows } from '../statements/insert-rows.js'
import { selectRows } from '../statements/select-rows.js'
import { updateRows } from '../statements/update-rows.js'

/** The row of a request. */
export const ofRequest = 'organisation = ? AND request = ?'

const find = async (db: Statements, { key }: AnswerClaim): Promise<KeptAnswerRow | undefined> => {
  const text = `SELECT * FROM ${tables.keptAnswers} WHERE ${ofRequest}`
  const [row] = await selectRows<KeptAnswerRow>(db, text, [key.organisation, key.request])
  return row
}

const hasExpired = ({ expires_at }: KeptAnswerRow, { at }: AnswerClaim): boolean =>
  fromSqlInstant(expires_at) <= at

/** What the row says to the claim; undefined where the claim may take its place. */
const saidBy = async (
  dataKeys: DataKeys,
  row: KeptAnswerRow,
  claim: AnswerClaim,
): Promise<AnswerClaimed | undefined> => {
  const { at, content, token } = claim
  // Its insert was run again, after it had been done.
  if (row.claim_token === token) return { _tag: 'claimed' }
  if (hasExpired(row, claim)) return undefined
  if (row.content !== content) return { _tag: 'other_content' }
  const answer = await keptAnswerOf(dataKeys, row)
  if (answer !== undefined) return { _tag: 'answered', answer }
  return fromSqlInstant(row.claim_ends_at) > at ? { _tag: 'in_progress' } : undefined
}

/** Takes the place of a row, if that is still as it was read: its claim not taken over, nor answered meanwhile. */
const takeOver = async (db: Statements, row: KeptAnswerRow, claim: AnswerClaim): Promise<boolean> => {
  const { organisation, request, is_done, ...claimed } = answerClaimRow(claim)
  // What is done stays done for those who ask for it again.
  const fresh = hasExpired(row, claim) ? { ...claimed, is_done } : claimed
  const columns = Object.keys(fresh).map((column) => `${column} = ?`)
  const text =
    `UPDATE ${tables.keptAnswers} SET ${columns.join(', ')} WHERE ${ofRequest} AND claim_token = ? ` +
    'AND (status IS NULL OR expires_at <= ?)'
  const values = Object.values(fresh).map((value) => value ?? null)
  const bindings = [...values, organisation, request, row.claim_token, toSqlInstant(claim.at)]
  return (await updateRows(db, text, bindings)) === 1
}

/**
 * The key of the table decides who is first, and an update of the row as it was read who comes after a claim that has ended.
 * Each is a statement of its own: nothing is locked in between, on whatever node of a cluster it runs. A request that comes
 * for the first time costs the one insert.
 */
export const claimAnswer = async (
  { dialect, dataKeys, query }: Session,
  claim: AnswerClaim,
  fullUntil: Instant | undefined,
): Promise<AnswerClaimed> => {
  const insert = (): Promise<boolean> =>
    unlessDuplicate(async () => {
      await query((db) => insertRows(db, dialect, tables.keptAnswers, [answerClaimRow(claim)]))
      return true
    }, false)
  for (;;) {
    if (fullUntil === undefined && (await insert())) return { _tag: 'claimed' }
    const row = await query((db) => find(db, claim))
    if (fullUntil !== undefined && (row === undefined || hasExpired(row, claim)))
      return { _tag: 'full', until: fullUntil }
    // Forgotten since the insert found it there.
    if (row === undefined) continue
    const said = await saidBy(dataKeys, row, claim)
    if (said !== undefined) return said
    if (await query((db) => takeOver(db, row, claim))) return { _tag: 'claimed' }
  }
}
