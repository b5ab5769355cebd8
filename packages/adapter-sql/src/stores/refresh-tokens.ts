import type { Instant, RefreshTokenRecord, RefreshTokens } from '@account-import/core'
import type { Knex } from 'knex'
import { sqlPortCall } from '../failures/sql-port-call.js'
import { toSqlInstant } from '../rows/instants.js'
import { refreshTokenOf, refreshTokenRow, type RefreshTokenRow } from '../rows/refresh-tokens.js'
import type { Session } from '../session/session.js'
import { tables } from '../rows/tables.js'

const find = async (db: Knex, hash: string): Promise<RefreshTokenRecord | undefined> => {
  const row = (await db(tables.refreshTokens).where({ hash }).first()) as RefreshTokenRow | undefined
  return row === undefined ? undefined : refreshTokenOf(row)
}

/**
 * How many tokens that have ended a call removes at most. A call adds one, so they do not pile up if it may remove
 * more than one; few, so that no call takes long, however many have ended since the last.
 */
const mostPurged = 20

/** Removes tokens that have ended, found by the index on their end and removed by their keys. */
const purge = async (db: Knex, at: Instant): Promise<void> => {
  const hashes = (await db(tables.refreshTokens)
    .where('expires_at', '<', toSqlInstant(at))
    .orderBy('expires_at')
    .limit(mostPurged, { skipBinding: true })
    .pluck('hash')) as readonly string[]
  if (hashes.length > 0) await db(tables.refreshTokens).whereIn('hash', hashes).delete()
}

const save = async (db: Knex, record: RefreshTokenRecord, at: Instant): Promise<void> => {
  await db(tables.refreshTokens).insert(refreshTokenRow(record))
  await purge(db, at)
}

/** The delete decides who was first. In one transaction with the rest: a retry must find the token again. */
const consume = async (db: Knex, hash: string, at: Instant): Promise<boolean> => {
  const consumed = (await db(tables.refreshTokens).where({ hash }).delete()) === 1
  await purge(db, at)
  return consumed
}

const call = sqlPortCall('refreshTokens')

export const sqlRefreshTokens = (session: Session): RefreshTokens => ({
  save: (record, at) => call('save', () => session.together((db) => save(db, record, at))),
  find: (hash) => call('find', () => session.run((db) => find(db, hash))),
  consume: (hash, at) => call('consume', () => session.together((db) => consume(db, hash, at))),
})
