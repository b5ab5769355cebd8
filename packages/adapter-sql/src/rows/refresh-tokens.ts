import type { RefreshTokenRecord } from '@account-import/core'
import { fromSqlInstant, toSqlInstant } from './instants.js'
import type { NewRow } from './row.js'

export type RefreshTokenRow = Readonly<{ hash: string; api_key_id: string; expires_at: string }>

export const refreshTokenRow = (record: RefreshTokenRecord): NewRow<RefreshTokenRow> => ({
  hash: record.hash,
  api_key_id: record.apiKeyId,
  expires_at: toSqlInstant(record.expiresAt),
})

export const refreshTokenOf = (row: RefreshTokenRow): RefreshTokenRecord => ({
  hash: row.hash,
  apiKeyId: row.api_key_id,
  expiresAt: fromSqlInstant(row.expires_at),
})
