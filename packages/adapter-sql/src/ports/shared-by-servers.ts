import { randomUUID } from 'node:crypto'
import {
  type FailedAttempts,
  type Instant,
  instantOf,
  type Leases,
  millisecondsOf,
} from '@account-import/core'
import type { Knex } from 'knex'
import { dataKeys } from '../sql/crypto.js'
import { type OnRetry, sqlPort } from '../sql/failures.js'
import { instant, tables } from '../sql/rows.js'
import { type Db, poolSession, type Session } from '../sql/session.js'

/** Events are counted in windows of ten seconds, and the last six are summed. */
const windowMilliseconds = 10_000
const windows = 6

/** Most expired rows that an event removes. An event adds one row, so they do not accumulate. */
const mostForgotten = 20

const windowOf = (at: Instant): number => Math.floor(millisecondsOf(at) / windowMilliseconds)

const beginOf = (window: number): string => instant.write(instantOf(window * windowMilliseconds))

/** Counts an event of the subject in its window. */
const count = (db: Db, subject: string, at: Instant): Promise<number> => {
  const window = windowOf(at)
  const orCount = db.dialect.orUpdate(['subject', 'begins_at'], () => [
    ['used', `${tables.rateLimits}.used + 1`],
  ])
  const text = `INSERT INTO ${tables.rateLimits} (subject, begins_at, expires_at, used) VALUES (?, ?, ?, 1) ${orCount}`
  return db.change(text, [subject, beginOf(window), beginOf(window + windows)])
}

/**
 * Removes expired windows, found by the index on `expires_at` and deleted by their keys, each by its own statement, so that
 * nothing is locked meanwhile.
 */
const forgetExpired = async ({ dialect, query }: Session, at: Instant): Promise<void> => {
  const end = instant.write(at)
  const find =
    `SELECT subject, begins_at FROM ${dialect.inOrderOf(tables.rateLimits, 'rate_limits_by_end')} ` +
    `WHERE expires_at <= ? ORDER BY expires_at LIMIT ${mostForgotten}`
  const expired = await query((db) =>
    db.select<Readonly<{ subject: string; begins_at: string }>>(find, [end]),
  )
  const remove = `DELETE FROM ${tables.rateLimits} WHERE subject = ? AND begins_at = ? AND expires_at <= ?`
  for (const { subject, begins_at } of expired)
    await query((db) => db.change(remove, [subject, begins_at, end]))
}

/**
 * A function that writes a row of a subject that no other process has, so that servers of a cluster never conflict, and rejects
 * with the driver's error where the database accepts no write. The rows expire, and each call removes expired ones.
 */
export const writeProbe = (knex: Knex, onRetry: OnRetry = () => undefined): (() => Promise<void>) => {
  const session = poolSession(knex, dataKeys(undefined), onRetry)
  const subject = `health:${randomUUID()}`
  return async () => {
    const at = instantOf(Date.now())
    await session.query((db) => count(db, subject, at))
    await forgetExpired(session, at)
  }
}

/** A prefix, because the rows of health checks are in the same table. */
const subjectOf = (subject: string): string => `failed:${subject}`

const recent = async (db: Db, subject: string, at: Instant): Promise<number> => {
  const text = `SELECT SUM(used) AS used FROM ${tables.rateLimits} WHERE subject = ? AND begins_at > ? AND begins_at <= ?`
  const [row] = await db.select<{ used: number | string | null }>(text, [
    subjectOf(subject),
    beginOf(windowOf(at) - windows),
    beginOf(windowOf(at)),
  ])
  return Number(row?.used ?? 0)
}

/** The row is locked until the transaction ends, so concurrent failures return different counts. */
const record = async (db: Db, subject: string, at: Instant): Promise<number> => {
  await count(db, subjectOf(subject), at)
  return recent(db, subject, at)
}

/** The counts and leases that servers share. */
export const sqlSharedByServers = (session: Session) => ({
  failedAttempts: sqlPort<FailedAttempts>('failedAttempts', {
    record: async (subject, at) => {
      const failures = await session.transaction((db) => record(db, subject, at))
      await forgetExpired(session, at)
      return failures
    },
    recent: session.inQuery(recent),
  }),
  leases: sqlPort<Leases>('leases', {
    // The update is an optimistic check; the key of the table decides where there is no row yet. Nothing is locked in between.
    take: async ({ job, token, at, endsAt }) => {
      const lease = { token, ends_at: instant.write(endsAt) }
      const isFree = 'job = ? AND (token = ? OR ends_at <= ?)'
      const known = [job, token, instant.write(at)]
      if (await session.query((db) => db.updateOne(tables.leases, lease, isFree, known))) return true
      return session.query((db) => db.insertNew(tables.leases, [{ job, ...lease }]))
    },
  }),
})
