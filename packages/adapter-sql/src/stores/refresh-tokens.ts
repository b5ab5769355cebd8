import type { Instant, NextRefreshToken, RefreshTokenFamily, RefreshTokens } from '@account-import/core'
import type { Knex } from 'knex'
import { sqlPortCall } from '../failures/sql-port-call.js'
import { toSqlInstant } from '../rows/instants.js'
import { refreshTokenFamilyOf, refreshTokenRow, type RefreshTokenRow } from '../rows/refresh-tokens.js'
import type { Session } from '../session/session.js'
import { tables } from '../rows/tables.js'

const find = async (db: Knex, hash: string): Promise<RefreshTokenFamily | undefined> => {
  const row = (await db(tables.refreshTokens).where({ hash }).first()) as RefreshTokenRow | undefined
  return row === undefined ? undefined : refreshTokenFamilyOf(row)
}

/**
 * How many families a call removes at most, of those that have ended and of those that are too many. A call adds one, so they
 * do not pile up if it may remove more than one; few, so that no call takes long, however many have ended since the last.
 */
const mostRemoved = 20

const remove = async (db: Knex, hashes: readonly string[]): Promise<void> => {
  if (hashes.length > 0) await db(tables.refreshTokens).whereIn('hash', hashes).delete()
}

/** Removes families whose latest token has ended, found by the index on that end and removed by their keys. */
const purge = async (db: Knex, at: Instant): Promise<void> => {
  const hashes = (await db(tables.refreshTokens)
    .where('expires_at', '<', toSqlInstant(at))
    .orderBy('expires_at')
    .limit(mostRemoved, { skipBinding: true })
    .pluck('hash')) as readonly string[]
  await remove(db, hashes)
}

/** Removes what the key has too many of, found by the index on its families and removed by their keys. */
const trim = async (db: Knex, { apiKeyId, hash }: RefreshTokenFamily, mostOthers: number): Promise<void> => {
  const latestFirst = (await db(tables.refreshTokens)
    .where({ api_key_id: apiKeyId })
    .whereNot({ hash })
    .whereNotNull('secret_hash')
    .orderBy('ends_at', 'desc')
    .limit(mostOthers + mostRemoved, { skipBinding: true })
    .pluck('hash')) as readonly string[]
  await remove(db, latestFirst.slice(mostOthers).toSorted())
}

const follow = async (
  db: Knex,
  hash: string,
  secretHash: string,
  next: NextRefreshToken,
): Promise<boolean> => {
  const changed = { secret_hash: next.secretHash, expires_at: toSqlInstant(next.expiresAt) }
  return (await db(tables.refreshTokens).where({ hash, secret_hash: secretHash }).update(changed)) === 1
}

/** The row of a family without a second part is one that was ended: no token fits it. It goes when `expires_at` has come. */
const end = async (db: Knex, hash: string, until: Instant): Promise<void> => {
  await db(tables.refreshTokens)
    .where({ hash })
    .whereNotNull('secret_hash')
    .update({ secret_hash: null, expires_at: toSqlInstant(until) })
}

const hasEnded = async (db: Knex, hash: string): Promise<boolean> => {
  const rows = (await db(tables.refreshTokens)
    .where({ hash })
    .whereNull('secret_hash')
    .select('hash')) as readonly unknown[]
  return rows.length > 0
}

const call = sqlPortCall('refreshTokens')

export const sqlRefreshTokens = (session: Session): RefreshTokens => ({
  begin: (family, at, mostOthers) =>
    call('begin', async () => {
      await session.together((db) => db(tables.refreshTokens).insert(refreshTokenRow(family)))
      await session.run((db) => trim(db, family, mostOthers))
      await session.run((db) => purge(db, at))
    }),
  find: (hash) => call('find', () => session.run((db) => find(db, hash))),
  follow: (hash, secretHash, next) =>
    call('follow', () => session.together((db) => follow(db, hash, secretHash, next))),
  end: (hash, until) => call('end', () => session.run((db) => end(db, hash, until))),
  hasEnded: (hash) => call('hasEnded', () => session.run((db) => hasEnded(db, hash))),
})
