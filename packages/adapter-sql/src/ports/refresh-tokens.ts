import type { Instant, NextRefreshToken, RefreshTokenFamily, RefreshTokens } from '@account-import/core'
import { sqlPort } from '../sql/failures.js'
import { fromSqlInstant, type NewRow, tables, toSqlInstant } from '../sql/rows.js'
import type { Db, Session } from '../sql/session.js'
import { marks } from '../sql/sql.js'

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

const findText = `SELECT * FROM ${tables.refreshTokens} WHERE hash = ?`

const find = async (db: Db, hash: string): Promise<RefreshTokenFamily | undefined> => {
  const [row] = await db.select<RefreshTokenRow>(findText, [hash])
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
  await db.change(`DELETE FROM ${tables.refreshTokens} WHERE hash IN (${marks(hashes.length)})`, hashes)
}

const endedText = `SELECT hash FROM ${tables.refreshTokens} WHERE expires_at < ? ORDER BY expires_at LIMIT ${mostRemoved}`

/** Removes families whose latest token has ended, found by the index on that end and removed by their keys. */
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

const endText =
  `UPDATE ${tables.refreshTokens} SET secret_hash = NULL, expires_at = ? ` +
  'WHERE hash = ? AND secret_hash IS NOT NULL'

/** The row of a family without a second part is one that was ended: no token fits it. It goes when `expires_at` has come. */
const end = async (db: Db, hash: string, until: Instant): Promise<void> => {
  await db.change(endText, [toSqlInstant(until), hash])
}

const hasEndedText = `SELECT hash FROM ${tables.refreshTokens} WHERE hash = ? AND secret_hash IS NULL`

const hasEnded = async (db: Db, hash: string): Promise<boolean> =>
  (await db.select(hasEndedText, [hash])).length > 0

export const sqlRefreshTokens = ({ query, transaction }: Session): RefreshTokens =>
  sqlPort<RefreshTokens>('refreshTokens', {
    begin: async (family, at, mostOthers) => {
      await query((db) => db.insert(tables.refreshTokens, [refreshTokenRow(family)]))
      await query((db) => trim(db, family, mostOthers))
      await query((db) => purge(db, at))
    },
    find: (hash) => query((db) => find(db, hash)),
    follow: (hash, secretHash, next) => transaction((db) => follow(db, hash, secretHash, next)),
    end: (hash, until) => query((db) => end(db, hash, until)),
    hasEnded: (hash) => query((db) => hasEnded(db, hash)),
  })
