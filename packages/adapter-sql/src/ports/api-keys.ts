import { type ApiKeyRecord, type ApiKeys, type FoundApiKey, type Instant, scopes } from '@account-import/core'
import * as t from 'io-ts'
import { sqlPort } from '../sql/failures.js'
import {
  fromOptionalSqlInstant,
  fromSqlInstant,
  jsonColumn,
  type NewRow,
  oneOf,
  tables,
  toSqlInstant,
} from '../sql/rows.js'
import type { Db, Session } from '../sql/session.js'
import { insertForOrganisation } from './organisations.js'

type ApiKeyRow = Readonly<{
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

const scopeList = jsonColumn('api_keys.scopes', t.readonlyArray(oneOf(scopes)))

const apiKeyRow = (record: ApiKeyRecord): NewRow<ApiKeyRow> => ({
  id: record.id,
  organisation: record.organisation,
  name: record.name,
  secret_hash: record.secretHash,
  scopes: scopeList.toText(record.scopes),
  created_at: toSqlInstant(record.createdAt),
  expires_at: record.expiresAt && toSqlInstant(record.expiresAt),
  revoked_at: record.revokedAt && toSqlInstant(record.revokedAt),
  last_used_at: record.lastUsedAt && toSqlInstant(record.lastUsedAt),
})

const apiKeyOf = (row: ApiKeyRow): ApiKeyRecord => ({
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

/**
 * Whoever makes keys of an organisation, or revokes all of them, takes turns at it: a key that is made at the same time is
 * there and is revoked with the others, or its making begins after that.
 */
const lockOrganisation = async (db: Db, code: string): Promise<void> => {
  await db.select(`SELECT code FROM ${tables.organisations} WHERE code = ? ${db.dialect.forUpdate}`, [code])
}

const create = async (db: Db, record: ApiKeyRecord): Promise<'created' | 'organisation_does_not_exist'> => {
  await lockOrganisation(db, record.organisation)
  const outcome = await insertForOrganisation(db, tables.apiKeys, apiKeyRow(record))
  if (outcome === 'taken') throw new Error('There is an API key with this id already')
  return outcome
}

type FoundRow = ApiKeyRow & Readonly<{ organisation_disabled_at: string | null }>

const findText =
  `SELECT k.*, o.disabled_at AS organisation_disabled_at FROM ${tables.apiKeys} k ` +
  `JOIN ${tables.organisations} o ON o.code = k.organisation WHERE k.id = ?`

const find = async (db: Db, id: string): Promise<FoundApiKey | undefined> => {
  const [row] = await db.select<FoundRow>(findText, [id])
  return row && { ...apiKeyOf(row), isOrganisationDisabled: row.organisation_disabled_at !== null }
}

const revokeText = `UPDATE ${tables.apiKeys} SET revoked_at = COALESCE(revoked_at, ?) WHERE id = ?`

const revoke = async (db: Db, id: string, at: Instant): Promise<boolean> =>
  (await db.change(revokeText, [toSqlInstant(at), id])) === 1

const livingText = `SELECT id FROM ${tables.apiKeys} WHERE id = ? AND organisation = ? AND revoked_at IS NULL`

const endText = `UPDATE ${tables.apiKeys} SET expires_at = ? WHERE id = ? AND (expires_at IS NULL OR expires_at > ?)`

const rotate = async (db: Db, id: string, replacement: ApiKeyRecord, endsAt: Instant): Promise<boolean> => {
  const { organisation } = replacement
  await lockOrganisation(db, organisation)
  const living = await db.select(`${livingText} ${db.dialect.forUpdate}`, [id, organisation])
  if (living.length === 0) return false
  const end = toSqlInstant(endsAt)
  await db.change(endText, [end, id, end])
  await db.insert(tables.apiKeys, [apiKeyRow(replacement)])
  return true
}

const revokeAllText = `UPDATE ${tables.apiKeys} SET revoked_at = ? WHERE organisation = ? AND revoked_at IS NULL`

const revokeAll = async (db: Db, organisation: string, at: Instant): Promise<number> => {
  await lockOrganisation(db, organisation)
  return db.change(revokeAllText, [toSqlInstant(at), organisation])
}

const useText =
  `UPDATE ${tables.apiKeys} SET last_used_at = ? ` +
  'WHERE id = ? AND (last_used_at IS NULL OR last_used_at <= ?)'

const noteUse = async (db: Db, id: string, at: Instant, since: Instant): Promise<void> => {
  await db.change(useText, [toSqlInstant(at), id, toSqlInstant(since)])
}

const listText = `SELECT * FROM ${tables.apiKeys} ORDER BY created_at, id`

const list = async (db: Db): Promise<readonly ApiKeyRecord[]> =>
  (await db.select<ApiKeyRow>(listText, [])).map(apiKeyOf)

export const sqlApiKeys = ({ query, transaction }: Session): ApiKeys =>
  sqlPort<ApiKeys>('apiKeys', {
    create: (record) => transaction((db) => create(db, record)),
    find: (id) => query((db) => find(db, id)),
    revoke: (id, at) => query((db) => revoke(db, id, at)),
    rotate: (id, replacement, endsAt) => transaction((db) => rotate(db, id, replacement, endsAt)),
    revokeAll: (organisation, at) => transaction((db) => revokeAll(db, organisation, at)),
    noteUse: (id, at, since) => query((db) => noteUse(db, id, at, since)),
    list: () => query(list),
  })
