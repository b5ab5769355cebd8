import {
  type ApiKeyRecord,
  type ApiKeys,
  type FoundApiKey,
  type Instant,
  type NextRefreshToken,
  type RefreshTokenFamily,
  type RefreshTokens,
  scopes,
} from '@account-import/core'
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
import { placeholders } from '../sql/sql.js'
import { insertForOrganisation } from './registers.js'

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
 * Calls that make keys of an organisation, or revoke all of them, exclude each other: a key that is made at the same time is
 * there and is revoked with the others, or its making begins after that.
 */
const lockOrganisation = async (db: Db, code: string): Promise<void> => {
  await db.select(`SELECT code FROM ${tables.organisations} WHERE code = ? ${db.dialect.forUpdate}`, [code])
}

const createKey = async (
  db: Db,
  record: ApiKeyRecord,
): Promise<'created' | 'organisation_does_not_exist'> => {
  await lockOrganisation(db, record.organisation)
  const outcome = await insertForOrganisation(db, tables.apiKeys, apiKeyRow(record))
  if (outcome === 'taken') throw new Error('There is an API key with this id already')
  return outcome
}

type FoundRow = ApiKeyRow & Readonly<{ organisation_disabled_at: string | null }>

const findKeyText =
  `SELECT k.*, o.disabled_at AS organisation_disabled_at FROM ${tables.apiKeys} k ` +
  `JOIN ${tables.organisations} o ON o.code = k.organisation WHERE k.id = ?`

const findKey = async (db: Db, id: string): Promise<FoundApiKey | undefined> => {
  const [row] = await db.select<FoundRow>(findKeyText, [id])
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

const sqlApiKeys = ({ query, transaction }: Session): ApiKeys =>
  sqlPort<ApiKeys>('apiKeys', {
    create: (record) => transaction((db) => createKey(db, record)),
    find: (id) => query((db) => findKey(db, id)),
    revoke: (id, at) => query((db) => revoke(db, id, at)),
    rotate: (id, replacement, endsAt) => transaction((db) => rotate(db, id, replacement, endsAt)),
    revokeAll: (organisation, at) => transaction((db) => revokeAll(db, organisation, at)),
    noteUse: (id, at, since) => query((db) => noteUse(db, id, at, since)),
    list: () => query(list),
  })

/** `secret_hash` is NULL where the family was ended: no token of it is good any more. */
type RefreshTokenRow = Readonly<{
  hash: string
  api_key_id: string
  expires_at: string
  secret_hash: string | null
  ends_at: string
}>

const refreshTokenRow = (family: RefreshTokenFamily): NewRow<RefreshTokenRow> => ({
  hash: family.hash,
  api_key_id: family.apiKeyId,
  expires_at: toSqlInstant(family.expiresAt),
  secret_hash: family.secretHash,
  ends_at: toSqlInstant(family.endsAt),
})

const refreshTokenFamilyOf = (row: RefreshTokenRow): RefreshTokenFamily | undefined =>
  row.secret_hash === null
    ? undefined
    : {
        hash: row.hash,
        apiKeyId: row.api_key_id,
        expiresAt: fromSqlInstant(row.expires_at),
        secretHash: row.secret_hash,
        endsAt: fromSqlInstant(row.ends_at),
      }

const findFamilyText = `SELECT * FROM ${tables.refreshTokens} WHERE hash = ?`

const findFamily = async (db: Db, hash: string): Promise<RefreshTokenFamily | undefined> => {
  const [row] = await db.select<RefreshTokenRow>(findFamilyText, [hash])
  return row && refreshTokenFamilyOf(row)
}

/**
 * How many families a call removes at most, of those that have ended and of those that are too many. A call adds one, so they
 * do not pile up if it may remove more than one; few, so that no call takes long, however many have ended since the last.
 */
const mostRemoved = 20

const remove = async (db: Db, rows: readonly Pick<RefreshTokenRow, 'hash'>[]): Promise<void> => {
  if (rows.length === 0) return
  const hashes = rows.map(({ hash }) => hash).toSorted()
  await db.change(
    `DELETE FROM ${tables.refreshTokens} WHERE hash IN (${placeholders(hashes.length)})`,
    hashes,
  )
}

const endedText = `SELECT hash FROM ${tables.refreshTokens} WHERE expires_at < ? ORDER BY expires_at LIMIT ${mostRemoved}`

/** Removes families whose latest token has ended, found by the index on that endFamily and removed by their keys. */
const purge = async (db: Db, at: Instant): Promise<void> =>
  remove(db, await db.select<RefreshTokenRow>(endedText, [toSqlInstant(at)]))

const othersText =
  `SELECT hash FROM ${tables.refreshTokens} WHERE api_key_id = ? AND hash <> ? AND secret_hash IS NOT NULL ` +
  'ORDER BY ends_at DESC LIMIT'

/** Removes the families of which the key has too many, found by the index on its families and removed by their keys. */
const trim = async (db: Db, { apiKeyId, hash }: RefreshTokenFamily, mostOthers: number): Promise<void> => {
  const text = `${othersText} ${Math.trunc(mostOthers) + mostRemoved}`
  const latestFirst = await db.select<RefreshTokenRow>(text, [apiKeyId, hash])
  await remove(db, latestFirst.slice(mostOthers))
}

const followText = `UPDATE ${tables.refreshTokens} SET secret_hash = ?, expires_at = ? WHERE hash = ? AND secret_hash = ?`

const follow = async (db: Db, hash: string, secretHash: string, next: NextRefreshToken): Promise<boolean> => {
  const bindings = [next.secretHash, toSqlInstant(next.expiresAt), hash, secretHash]
  return (await db.change(followText, bindings)) === 1
}

const endFamilyText =
  `UPDATE ${tables.refreshTokens} SET secret_hash = NULL, expires_at = ? ` +
  'WHERE hash = ? AND secret_hash IS NOT NULL'

/** The row of a family without a second part is one that was ended: no token fits it. It goes when `expires_at` has come. */
const endFamily = async (db: Db, hash: string, until: Instant): Promise<void> => {
  await db.change(endFamilyText, [toSqlInstant(until), hash])
}

const hasEndedText = `SELECT hash FROM ${tables.refreshTokens} WHERE hash = ? AND secret_hash IS NULL`

const hasEnded = async (db: Db, hash: string): Promise<boolean> =>
  (await db.select(hasEndedText, [hash])).length > 0

const sqlRefreshTokens = ({ query, transaction }: Session): RefreshTokens =>
  sqlPort<RefreshTokens>('refreshTokens', {
    begin: async (family, at, mostOthers) => {
      await query((db) => db.insert(tables.refreshTokens, [refreshTokenRow(family)]))
      await query((db) => trim(db, family, mostOthers))
      await query((db) => purge(db, at))
    },
    find: (hash) => query((db) => findFamily(db, hash)),
    follow: (hash, secretHash, next) => transaction((db) => follow(db, hash, secretHash, next)),
    end: (hash, until) => query((db) => endFamily(db, hash, until)),
    hasEnded: (hash) => query((db) => hasEnded(db, hash)),
  })

/** API keys, and the refresh tokens that were given for them. */
export const sqlAccess = (session: Session) => ({
  apiKeys: sqlApiKeys(session),
  refreshTokens: sqlRefreshTokens(session),
})
