import type {
  AnswerClaim,
  AnswerClaimed,
  AnsweredAccount,
  AnswerKey,
  Instant,
  KeptAnswer,
  KeptAnswers,
} from '@account-import/core'
import { keptBytes, type KeptBytes } from '@account-import/core/adapter-kit'
import { sqlPortCall } from '../failures/sql-port-call.js'
import { toSqlInstant } from '../rows/instants.js'
import { answerHeaders, keptBody, type KeptBody } from '../rows/kept-answers.js'
import { tables } from '../rows/tables.js'
import type { Session } from '../session/session.js'
import type { Statements } from '../session/statements.js'
import { updateRows } from '../statements/update-rows.js'
import { claimAnswer, ofRequest } from './claim-answer.js'
import { forgetAnswers } from './forget-answers.js'
import { isErased } from './is-erased.js'
import { useOfLimit } from './rate-limits.js'

type Claimed = Readonly<{ key: AnswerKey; token: string }>

/** Changes the row of a claim that is still this one and has no answer; says whether it was. */
const change = async (
  db: Statements,
  { key, token }: Claimed,
  set: string,
  values: readonly (string | number | null)[],
): Promise<boolean> => {
  const text = `UPDATE ${tables.keptAnswers} SET ${set} WHERE ${ofRequest} AND claim_token = ? AND status IS NULL`
  return (await updateRows(db, text, [...values, key.organisation, key.request, token])) === 1
}

type Answered = Claimed &
  Readonly<{ answer: KeptAnswer; expiresAt: Instant; account?: AnsweredAccount | undefined }>

const write = async (
  db: Statements,
  claimed: Answered,
  { body, dataKey }: KeptBody,
): Promise<'kept' | 'claim_lost'> => {
  const { status, headers } = claimed.answer
  const { importSupplier = null, externalAccountNumber = null } = claimed.account ?? {}
  const values = [
    status,
    answerHeaders.toText(headers),
    body,
    toSqlInstant(claimed.expiresAt),
    importSupplier,
    externalAccountNumber,
    dataKey,
  ]
  const set =
    'status = ?, headers = ?, body = ?, expires_at = ?, import_supplier = ?, external_account_number = ?, data_key = ?'
  const isKept = await change(db, claimed, set, values)
  return isKept ? 'kept' : 'claim_lost'
}

const forgetText = `DELETE FROM ${tables.keptAnswers} WHERE ${ofRequest} AND claim_token = ? AND status IS NULL`

/**
 * The import of the account is locked first, as erasing does: who erases it then finds the answer, or has erased it before,
 * and the answer is not kept.
 */
const keep = async (
  { dialect, dataKeys, query, transaction }: Session,
  answered: Answered,
): Promise<'kept' | 'claim_lost' | 'account_erased'> => {
  const { key, token, account, answer } = answered
  const body = await keptBody(dataKeys, key, answer.body)
  if (account === undefined) return query((db) => write(db, answered, body))
  return transaction(async (db) => {
    if (!(await isErased(db, dialect, { organisation: key.organisation, ...account })))
      return write(db, answered, body)
    await updateRows(db, forgetText, [key.organisation, key.request, token])
    return 'account_erased'
  })
}

/** The bytes of a claim that is made again are counted again: a bound need not be more exact. */
const claimWithin = async (
  session: Session,
  bytes: KeptBytes,
  claim: AnswerClaim,
): Promise<AnswerClaimed> => {
  const { key, at, mostBytes } = claim
  const until = mostBytes === undefined ? undefined : await bytes.fullUntil(key.organisation, at, mostBytes)
  const claimed = await claimAnswer(session, claim, until)
  if (claimed._tag === 'claimed') bytes.claimed(key.organisation)
  return claimed
}

const call = sqlPortCall('keptAnswers')

export const sqlKeptAnswers = (session: Session): KeptAnswers => {
  const bytes = keptBytes((added) => session.query((db) => useOfLimit(db, session, added)))
  return {
    claim: (claim) => call('claim', () => claimWithin(session, bytes, claim)),
    keep: (answered) =>
      call('keep', async () => {
        const kept = await keep(session, answered)
        if (kept === 'kept') bytes.kept(answered.key.organisation, answered.answer.body)
        return kept
      }),
    release: ({ at, ...claimed }) =>
      call('release', async () => {
        await session.query((db) => change(db, claimed, 'claim_ends_at = ?', [toSqlInstant(at)]))
      }),
    forget: (at, limit) => call('forget', () => forgetAnswers(session, at, limit)),
  }
}
