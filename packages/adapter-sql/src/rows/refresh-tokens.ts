import type { RefreshTokenFamily } from '@account-import/core'
import { fromSqlInstant, toSqlInstant } from './instants.js'
import type { NewRow } from './row.js'

/** `secret_hash` is NULL where the family was ended: no token of it is good any more. */
export type RefreshTokenRow = Readonly<{
  hash: string
  api_key_id: string
  expires_at: string
  secret_hash: string | null
  ends_at: string
}>

export const refreshTokenRow = (family: RefreshTokenFamily): NewRow<RefreshTokenRow> => ({
  hash: family.hash,
  api_key_id: family.apiKeyId,
  expires_at: toSqlInstant(family.expiresAt),
  secret_hash: family.secretHash,
  ends_at: toSqlInstant(family.endsAt),
})

export const refreshTokenFamilyOf = (row: RefreshTokenRow): RefreshTokenFamily | undefined =>
  row.secret_hash === null
    ? undefined
    : {
        hash: row.hash,
        apiKeyId: row.api_key_id,
        expiresAt: fromSqlInstant(row.expires_at),
        secretHash: row.secret_hash,
        endsAt: fromSqlInstant(row.ends_at),
      }
