import type { RateLimits, RateUse } from '@account-import/core'
import type { Knex } from 'knex'
import { perDialect } from '../dialects/per-dialect.js'
import { dataKeys } from '../encryption/data-keys.js'
import type { OnRetry } from '../failures/retry.js'
import { sqlPortCall } from '../failures/sql-port-call.js'
import { toSqlInstant } from '../rows/instants.js'
import { tables } from '../rows/tables.js'
import { poolSession, type Session } from '../session/session.js'
import type { Statements } from '../session/statements.js'
import { forgetLimits } from './forget-limits.js'

const addUp = perDialect(({ orUpdate, upserts: { told, returning } }) => {
  const end = orUpdate(['subject', 'begins_at'], (incoming) => [
    ['used', told(`${tables.rateLimits}.used + ${incoming('used')}`)],
  ])
  const insert = `INSERT INTO ${tables.rateLimits} (subject, begins_at, expires_at, used) VALUES (?, ?, ?, ?)`
  return `${insert} ${end} ${returning?.('used') ?? ''}`
})

/** One statement, which says what came of it. */
export const useOfLimit = async (
  db: Statements,
  { dialect }: Session,
  { subject, beginsAt, expiresAt, amount }: RateUse,
): Promise<number> => {
  const bindings = [subject, toSqlInstant(beginsAt), toSqlInstant(expiresAt), amount]
  const answer = await db.raw(addUp(dialect), bindings)
  if (dialect.upserts.returning !== undefined)
    return (answer as readonly { used: number }[])[0]?.used ?? amount
  const [used = 1] = dialect.upserts.toldValues(answer, 1) ?? []
  // Of a row that is new 1 is told; one that was there has at least 2 now.
  return used === 1 ? amount : used
}

const call = sqlPortCall('rateLimits')

/** What is used of limits, counted in the database that the Knex of `connectSql` reaches. */
export const sqlRateLimits = (knex: Knex, onRetry: OnRetry = () => undefined): RateLimits => {
  const session = poolSession(knex, dataKeys(undefined), onRetry)
  return {
    use: (used) => call('use', () => session.query((db) => useOfLimit(db, session, used))),
    forget: (at, limit) => call('forget', () => forgetLimits(session, at, limit)),
  }
}
