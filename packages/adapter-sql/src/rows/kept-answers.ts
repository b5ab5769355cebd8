import type { AnswerClaim, KeptAnswer } from '@account-import/core'
import { toSqlInstant } from './instants.js'
import { jsonColumn } from './json-column.js'
import type { NewRow } from './row.js'
import { recordOf, text } from './shapes.js'

export type KeptAnswerRow = Readonly<{
  organisation: string
  request: string
  content: string
  claim_token: string
  claim_ends_at: string
  expires_at: string
  /** Those of the account that the answer is about; empty until it is kept, and in rows of a version that knew none. */
  import_supplier: string | null
  external_account_number: string | null
}> &
  (
    | Readonly<{ status: null; headers: null; body: null }>
    | Readonly<{ status: number; headers: string; body: string }>
  )

export const answerHeaders = jsonColumn('kept_answers.headers', recordOf(text))

/** A claim that has no answer yet. */
export const answerClaimRow = (claim: AnswerClaim): NewRow<KeptAnswerRow> => ({
  ...claim.key,
  content: claim.content,
  claim_token: claim.token,
  claim_ends_at: toSqlInstant(claim.endsAt),
  expires_at: toSqlInstant(claim.expiresAt),
  import_supplier: null,
  external_account_number: null,
  status: null,
  headers: null,
  body: null,
})

/** Undefined while there is none. */
export const keptAnswerOf = (row: KeptAnswerRow): KeptAnswer | undefined =>
  row.status === null
    ? undefined
    : { status: row.status, headers: answerHeaders.fromText(row.headers), body: row.body }
