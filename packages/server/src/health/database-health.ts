import { randomUUID } from 'node:crypto'
import type { HealthCode } from '@account-import/adapter-http-koa'
import { assertTakesWrites, pendingMigrations } from '@account-import/adapter-sql'
import { instantOf, type RateLimits } from '@account-import/core'
import type { Database } from '../container/sql-module.js'
import { databaseError, databaseErrorCode } from '../database-error.js'
import type { Checked, Reason } from './checked.js'

const failed = (code: HealthCode, reason: Reason): Checked => ({
  components: { database: { state: 'failed', code }, migrations: { state: 'unknown', code } },
  reasons: { database: reason },
})

/** What is said of a database that takes too long. */
export const databaseLate: Checked = failed('timed_out', { code: 'ETIMEDOUT' })

const codes: readonly (readonly [reason: RegExp, code: HealthCode])[] = [
  [/^(?:DATABASE_READ_ONLY$|SQLITE_READONLY)/, 'database_read_only'],
  [/^DATABASE_NOT_IN_CLUSTER$/, 'database_not_in_cluster'],
  [/ACCESS_?DENIED/, 'database_refused'],
]

const writtenMilliseconds = 5000
const hour = 3_600_000

/**
 * Writes one row, which no other process writes: servers of a cluster never clash by it. It is a use of a limit that nobody
 * has, so it is forgotten as all of these are, and needs no table of its own. One that succeeds holds for five seconds.
 */
const writing = (rateLimits: RateLimits): (() => Promise<void>) => {
  const subject = `health:${randomUUID()}`
  let wroteAt = -Infinity
  return async () => {
    if (performance.now() - wroteAt < writtenMilliseconds) return
    const begins = Math.floor(Date.now() / hour) * hour
    const window = { beginsAt: instantOf(begins), expiresAt: instantOf(begins + 2 * hour) }
    const used = await rateLimits.use({ subject, ...window, amount: 1 })()
    if (used._tag === 'Left') throw used.left.cause
    wroteAt = performance.now()
  }
}

const failure = (cause: unknown): Checked => {
  const reason = databaseErrorCode(cause)
  const code = codes.find(([pattern]) => pattern.test(reason))?.[1] ?? 'database_unavailable'
  return failed(code, { code: reason, advice: databaseError(cause).message })
}

/** Whether the database answers, has the tables of this version, and takes what is written, which is tried. */
export const databaseHealth = (database: Database, rateLimits: RateLimits): (() => Promise<Checked>) => {
  const write = writing(rateLimits)
  return async () => {
    try {
      await assertTakesWrites(database)
      const pending = await pendingMigrations(database)
      if (pending.length > 0)
        return {
          components: {
            database: { state: 'ok' },
            migrations: { state: 'failed', code: 'migrations_pending' },
          },
          reasons: { migrations: { code: pending.join(', ') } },
        }
      await write()
      return { components: { database: { state: 'ok' }, migrations: { state: 'ok' } } }
    } catch (cause) {
      return failure(cause)
    }
  }
}
