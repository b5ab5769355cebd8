import { instantOf, millisecondsOf, type FailedAttempts, type Instant } from '@account-import/core'
import { sqlPortCall } from '../failures/sql-port-call.js'
import { toSqlInstant } from '../rows/instants.js'
import { tables } from '../rows/tables.js'
import type { Session } from '../session/session.js'
import type { Statements } from '../session/statements.js'
import { selectRows } from '../statements/select-rows.js'
import { updateRows } from '../statements/update-rows.js'
import { forgetLimits } from './forget-limits.js'

/** Failures are counted in windows of ten seconds, and six of them are looked at. */
const windowMilliseconds = 10_000
const windows = 6

/** How many rows a failure removes at most that have expired. It adds one, so they do not pile up. */
const mostForgotten = 20

const windowOf = (at: Instant): number => Math.floor(millisecondsOf(at) / windowMilliseconds)

const beginOf = (window: number): string => toSqlInstant(instantOf(window * windowMilliseconds))

/** Apart from other limits that are counted in the same table. */
const subjectOf = (subject: string): string => `failed:${subject}`

const recent = async (db: Statements, subject: string, at: Instant): Promise<number> => {
  const text = `SELECT SUM(used) AS used FROM ${tables.rateLimits} WHERE subject = ? AND begins_at > ? AND begins_at <= ?`
  const [row] = await selectRows<{ used: number | string | null }>(db, text, [
    subjectOf(subject),
    beginOf(windowOf(at) - windows),
    beginOf(windowOf(at)),
  ])
  return Number(row?.used ?? 0)
}

/** The row stays locked until the transaction ends, so who comes at the same time reads another number. */
const record = async (
  db: Statements,
  { dialect }: Session,
  subject: string,
  at: Instant,
): Promise<number> => {
  const window = windowOf(at)
  const orCount = dialect.orUpdate(['subject', 'begins_at'], () => [
    ['used', `${tables.rateLimits}.used + 1`],
  ])
  const text = `INSERT INTO ${tables.rateLimits} (subject, begins_at, expires_at, used) VALUES (?, ?, ?, 1) ${orCount}`
  await updateRows(db, text, [subjectOf(subject), beginOf(window), beginOf(window + windows)])
  return recent(db, subject, at)
}

const call = sqlPortCall('failedAttempts')

export const sqlFailedAttempts = (session: Session): FailedAttempts => ({
  record: (subject, at) =>
    call('record', async () => {
      const failures = await session.transaction((db) => record(db, session, subject, at))
      await forgetLimits(session, at, mostForgotten)
      return failures
    }),
  recent: (subject, at) => call('recent', () => session.query((db) => recent(db, subject, at))),
})
