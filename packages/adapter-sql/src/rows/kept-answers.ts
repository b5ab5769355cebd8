import type { AnswerClaim, AnswerKey, KeptAnswer } from '@account-import/core'
import { keptText, readText, type DataKeys } from '../encryption/data-keys.js'
import type { OwnerRow } from '../encryption/encrypted-text.js'
import { toSqlInstant } from './instants.js'
import { jsonColumn } from './json-column.js'
import type { NewRow } from './row.js'
import { recordOf, text } from './shapes.js'
import { tables } from './tables.js'

export type KeptAnswerRow = Readonly<{
  organisation: string
  request: string
  content: string
  claim_token: string
  claim_ends_at: string
  expires_at: string
  /** What is asked for is done, under this claim or one before it. */
  is_done: 0 | 1
  /** Those of the account that the answer is about; NULL until it is kept, and where it is about none. */
  import_supplier: string | null
  external_account_number: string | null
  /** The body is encrypted by it, unless it is NULL. */
  data_key: string | null
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
  is_done: 0,
  import_supplier: null,
  external_account_number: null,
  data_key: null,
  status: null,
  headers: null,
  body: null,
})

const ownerOf = ({ organisation, request }: AnswerKey): OwnerRow => [
  tables.keptAnswers,
  organisation,
  request,
]

/** The body of an answer as its row keeps it: as it is, or encrypted by the data key beside it. */
export type KeptBody = Readonly<{ body: string; dataKey: string | null }>

/** How the body of an answer is kept: it may repeat what was sent. */
export const keptBody = async (dataKeys: DataKeys, key: AnswerKey, body: string): Promise<KeptBody> => {
  const dataKey = await dataKeys.make()
  return { body: keptText(dataKey, ownerOf(key), body), dataKey: dataKey?.column ?? null }
}

/** Undefined while there is none. Throws a `KeyRingError` or a `DecryptionError`. */
export const keptAnswerOf = async (dataKeys: DataKeys, row: KeptAnswerRow): Promise<KeptAnswer | undefined> =>
  row.status === null
    ? undefined
    : {
        status: row.status,
        headers: answerHeaders.fromText(row.headers),
        body: readText(await dataKeys.of(row.data_key), ownerOf(row), row.body),
      }
