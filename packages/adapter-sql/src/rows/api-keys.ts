import { scopes, type ApiKeyRecord } from '@account-import/core'
import { fromOptionalSqlInstant, fromSqlInstant, toSqlInstant } from './instants.js'
import { jsonColumn } from './json-column.js'
import type { NewRow } from './row.js'
import { listOf, oneOf } from './shapes.js'

export type ApiKeyRow = Readonly<{
  id: string
  organisation: string
  /** NULL where it has none. */
  name: string | null
  secret_hash: string
  scopes: string
  created_at: string
  expires_at: string | null
  revoked_at: string | null
  last_used_at: string | null
}>

const scopeList = jsonColumn('api_keys.scopes', listOf(oneOf(scopes)))

export const apiKeyRow = (record: ApiKeyRecord): NewRow<ApiKeyRow> => ({
  id: record.id,
  organisation: record.organisation,
  name: record.name,
  secret_hash: record.secretHash,
  scopes: scopeList.toText(record.scopes),
  created_at: toSqlInstant(record.createdAt),
  expires_at: record.expiresAt === undefined ? null : toSqlInstant(record.expiresAt),
  revoked_at: record.revokedAt === undefined ? null : toSqlInstant(record.revokedAt),
  last_used_at: record.lastUsedAt === undefined ? null : toSqlInstant(record.lastUsedAt),
})

export const apiKeyOf = (row: ApiKeyRow): ApiKeyRecord => ({
  id: row.id,
  organisation: row.organisation,
  name: row.name ?? undefined,
  secretHash: row.secret_hash,
  scopes: scopeList.fromText(row.scopes),
  createdAt: fromSqlInstant(row.created_at),
  expiresAt: fromOptionalSqlInstant(row.expires_at),
  revokedAt: fromOptionalSqlInstant(row.revoked_at),
  lastUsedAt: fromOptionalSqlInstant(row.last_used_at),
})
