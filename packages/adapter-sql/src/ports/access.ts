import {
  type ApiKeyRecord,
  type ApiKeys,
  type Instant,
  type RefreshTokenFamily,
  type RefreshTokens,
  scopes,
} from '@account-import/core'
import * as t from 'io-ts'
import { sqlPort } from '../sql/failures.js'
import {
  instant,
  jsonColumn,
  oneOf,
  optionalInstant,
  placeholders,
  plain,
  recordTable,
  type Row,
  tables,
} from '../sql/rows.js'
import type { Db, Session } from '../sql/session.js'
import { insertForOrganisation } from './registers.js'

const apiKeys = recordTable<ApiKeyRecord>(tables.apiKeys, {
  id: plain(),
  organisation: plain(),
  name: plain(),
  secretHash: plain(),
  scopes: jsonColumn('api_keys.scopes', t.readonlyArray(oneOf(scopes))),
  createdAt: instant,
  expiresAt: optionalInstant,
  revokedAt: optionalInstant,
  lastUsedAt: optionalInstant,
})

/**
 * Locks the organisation, so that calls that create keys and calls that revoke all keys exclude each other: a key is created
 * before and revoked with the others, or created after.
 */
const lockOrganisation = async (db: Db, code: string): Promise<void> => {
  await db.select(`SELECT code FROM ${tables.organisations} WHERE code = ? ${db.dialect.forUpdate}`, [code])
}

const findKeyText =
  `SELECT k.*, o.disabled_at AS organisation_disabled_at FROM ${tables.apiKeys} k ` +
  `JOIN ${tables.organisations} o ON o.code = k.organisation WHERE k.id = ?`

const revokeText = `UPDATE ${tables.apiKeys} SET revoked_at = COALESCE(revoked_at, ?) WHERE id = ?`

const livingText = `SELECT id FROM ${tables.apiKeys} WHERE id = ? AND organisation = ? AND revoked_at IS NULL`

const revokeAllText = `UPDATE ${tables.apiKeys} SET revoked_at = ? WHERE organisation = ? AND revoked_at IS NULL`

const sqlApiKeys = ({ inQuery, inTransaction, query }: Session): ApiKeys =>
  sqlPort<ApiKeys>('apiKeys', {
    create: inTransaction(async (db, record) => {
      await lockOrganisation(db, record.organisation)
      const outcome = await insertForOrganisation(db, apiKeys.name, apiKeys.rowOf(record))
      if (outcome === 'taken') throw new Error('There is an API key with this id already')
      return outcome
    }),
    find: inQuery(async (db, id) => {
      const [row] = await db.select<Row>(findKeyText, [id])
      return (
        row && {
          ...apiKeys.recordOf(row),
          isOrganisationDisabled: row['organisation_disabled_at'] !== null,
        }
      )
    }),
    revoke: inQuery((db, id, at) => db.changeOne(revokeText, [instant.write(at), id])),
    rotate: inTransaction(async (db, id, replacement, endsAt) => {
      const { organisation } = replacement
      await lockOrganisation(db, organisation)
      const living = await db.select(`${livingText} ${db.dialect.forUpdate}`, [id, organisation])
      if (living.length === 0) return false
      const end = instant.write(endsAt)
      const stillGood = 'id = ? AND (expires_at IS NULL OR expires_at > ?)'
      await db.updateOne(apiKeys.name, { expires_at: end }, stillGood, [id, end])
      await db.insert(apiKeys.name, [apiKeys.rowOf(replacement)])
      return true
    }),
    revokeAll: inTransaction(async (db, organisation, at) => {
      await lockOrganisation(db, organisation)
      return db.change(revokeAllText, [instant.write(at), organisation])
    }),
    noteUse: async (id, at, since) => {
      const isDue = 'id = ? AND (last_used_at IS NULL OR last_used_at <= ?)'
      const used = { last_used_at: instant.write(at) }
      await query((db) => db.updateOne(apiKeys.name, used, isDue, [id, instant.write(since)]))
    },
    list: inQuery((db) => db.records(apiKeys, 'ORDER BY created_at, id')),
  })

/** `secret_hash` is NULL once the family is ended: none of its tokens is valid any more. */
const refreshTokens = recordTable<RefreshTokenFamily>(tables.refreshTokens, {
  hash: plain(),
  apiKeyId: plain(),
  expiresAt: instant,
  secretHash: plain(),
  endsAt: instant,
})

/**
 * Most families that a call removes, of the expired ones and of the surplus ones. A call adds one family, so the families do not
 * accumulate; the limit keeps each call short.
 */
const mostRemoved = 20

type HashRow = Readonly<{ hash: string }>

const remove = async (db: Db, rows: readonly HashRow[]): Promise<void> => {
  if (rows.length === 0) return
  const hashes = rows.map(({ hash }) => hash).toSorted()
  await db.change(
    `DELETE FROM ${tables.refreshTokens} WHERE hash IN (${placeholders(hashes.length)})`,
    hashes,
  )
}

const endedText = `SELECT hash FROM ${tables.refreshTokens} WHERE expires_at < ? ORDER BY expires_at LIMIT ${mostRemoved}`

/** Removes families whose latest token has expired, found by the index on `expires_at` and deleted by their keys. */
const purge = async (db: Db, at: Instant): Promise<void> =>
  remove(db, await db.select<HashRow>(endedText, [instant.write(at)]))

const othersText =
  `SELECT hash FROM ${tables.refreshTokens} WHERE api_key_id = ? AND hash <> ? AND secret_hash IS NOT NULL ` +
  'ORDER BY ends_at DESC LIMIT'

/** Removes the surplus families of a key, found by the index on its families and deleted by their keys. */
const trim = async (db: Db, { apiKeyId, hash }: RefreshTokenFamily, mostOthers: number): Promise<void> => {
  const text = `${othersText} ${Math.trunc(mostOthers) + mostRemoved}`
  const latestFirst = await db.select<HashRow>(text, [apiKeyId, hash])
  await remove(db, latestFirst.slice(mostOthers))
}

const hasEndedText = `SELECT hash FROM ${tables.refreshTokens} WHERE hash = ? AND secret_hash IS NULL`

const sqlRefreshTokens = ({ inQuery, inTransaction, query }: Session): RefreshTokens =>
  sqlPort<RefreshTokens>('refreshTokens', {
    begin: async (family, at, mostOthers) => {
      await query((db) => db.insert(refreshTokens.name, [refreshTokens.rowOf(family)]))
      await query((db) => trim(db, family, mostOthers))
      await query((db) => purge(db, at))
    },
    find: (hash) =>
      query(
        async (db) =>
          (await db.records(refreshTokens, 'WHERE hash = ? AND secret_hash IS NOT NULL', [hash]))[0],
      ),
    follow: inTransaction((db, hash, secretHash, next) =>
      db.updateOne(
        refreshTokens.name,
        { secret_hash: next.secretHash, expires_at: instant.write(next.expiresAt) },
        'hash = ? AND secret_hash = ?',
        [hash, secretHash],
      ),
    ),
    // An ended family has no `secret_hash`, so that no token fits it. Its row is removed after `expires_at`.
    end: async (hash, until) => {
      const ended = { secret_hash: null, expires_at: instant.write(until) }
      await query((db) =>
        db.updateOne(refreshTokens.name, ended, 'hash = ? AND secret_hash IS NOT NULL', [hash]),
      )
    },
    hasEnded: inQuery(async (db, hash) => (await db.select(hasEndedText, [hash])).length > 0),
  })

/** API keys, and the refresh tokens that were issued for them. */
export const sqlAccess = (session: Session) => ({
  apiKeys: sqlApiKeys(session),
  refreshTokens: sqlRefreshTokens(session),
})
