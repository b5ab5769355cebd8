import {
  type FailedAttempts,
  type Instant,
  instantOf,
  millisecondsOf,
  type RateLimits,
  type RateUse,
  type Leases,
} from '@account-import/core'
import type { Knex } from 'knex'
import { perDialect } from '../dialects/dialects.js'
import { dataKeys } from '../sql/crypto.js'
import { type OnRetry, sqlPort } from '../sql/failures.js'
import { instant, tables } from '../sql/rows.js'
import { type Db, poolSession, type Session } from '../sql/session.js'

/**
 * Removes expired windows of limits, found by the index on `expires_at` and deleted by their keys, each by its own statement, so
 * that nothing is locked meanwhile. Returns how many it found, at most `limit`.
 */
const forgetLimits = async ({ dialect, query }: Session, at: Instant, limit: number): Promise<number> => {
  const end = instant.write(at)
  const find =
    `SELECT subject, begins_at FROM ${dialect.inOrderOf(tables.rateLimits, 'rate_limits_by_end')} ` +
    `WHERE expires_at <= ? ORDER BY expires_at LIMIT ${limit}`
  const expired = await query((db) =>
    db.select<Readonly<{ subject: string; begins_at: string }>>(find, [end]),
  )
  const remove = `DELETE FROM ${tables.rateLimits} WHERE subject = ? AND begins_at = ? AND expires_at <= ?`
  for (const { subject, begins_at } of expired)
    await query((db) => db.change(remove, [subject, begins_at, end]))
  return expired.length
}

const addUp = perDialect(({ orUpdate, upserts: { reported, returning } }) => {
  const end = orUpdate(['subject', 'begins_at'], (incoming) => [
    ['used', reported(`${tables.rateLimits}.used + ${incoming('used')}`)],
  ])
  const insert = `INSERT INTO ${tables.rateLimits} (subject, begins_at, expires_at, used) VALUES (?, ?, ?, ?)`
  return `${insert} ${end} ${returning?.('used') ?? ''}`
})

/** Adds to the use of a limit, and returns the sum, by one statement. */
const useOfLimit = async (db: Db, { subject, beginsAt, expiresAt, amount }: RateUse): Promise<number> => {
  const { dialect } = db
  const bindings = [subject, instant.write(beginsAt), instant.write(expiresAt), amount]
  const answer = await db.raw(addUp(dialect), bindings)
  if (dialect.upserts.returning !== undefined)
    return (answer as readonly { used: number }[])[0]?.used ?? amount
  // 0: the use is the first one of its window.
  return dialect.upserts.reportedValue(answer) || amount
}

/** Rate limits whose use is counted in the database of a Knex from `connectSql`. */
export const sqlRateLimits = (knex: Knex, onRetry: OnRetry = () => undefined): RateLimits => {
  const session = poolSession(knex, dataKeys(undefined), onRetry)
  return sqlPort<RateLimits>('rateLimits', {
    use: session.inQuery(useOfLimit),
    forget: (at, limit) => forgetLimits(session, at, limit),
  })
}

/** Failures are counted in windows of ten seconds, and the last six are summed. */
const windowMilliseconds = 10_000
const windows = 6

/** Most expired rows that a failure removes. A failure adds one row, so they do not accumulate. */
const mostForgotten = 20

const windowOf = (at: Instant): number => Math.floor(millisecondsOf(at) / windowMilliseconds)

const beginOf = (window: number): string => instant.write(instantOf(window * windowMilliseconds))

/** A prefix, because other limits are counted in the same table. */
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
  const window = windowOf(at)
  const orCount = db.dialect.orUpdate(['subject', 'begins_at'], () => [
    ['used', `${tables.rateLimits}.used + 1`],
  ])
  const text = `INSERT INTO ${tables.rateLimits} (subject, begins_at, expires_at, used) VALUES (?, ?, ?, 1) ${orCount}`
  await db.change(text, [subjectOf(subject), beginOf(window), beginOf(window + windows)])
  return recent(db, subject, at)
}

/** The counts and leases that servers share. */
export const sqlSharedByServers = (session: Session) => ({
  failedAttempts: sqlPort<FailedAttempts>('failedAttempts', {
    record: async (subject, at) => {
      const failures = await session.transaction((db) => record(db, subject, at))
      await forgetLimits(session, at, mostForgotten)
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
