import type { HealthCode } from '@account-import/adapter-http-koa'
import { assertTakesWrites, pendingMigrations } from '@account-import/adapter-sql'
import type { Database } from '../container/sql-module.js'
import { databaseErrorCode } from '../database-error.js'
import type { Checked } from './checked.js'

const failed = (code: HealthCode, reason: string): Checked => ({
  components: { database: { state: 'failed', code }, migrations: { state: 'unknown', code } },
  reasons: { database: reason },
})

/** What is said of a database that takes too long. */
export const databaseLate: Checked = failed('timed_out', 'ETIMEDOUT')

const codes: Readonly<Record<string, HealthCode>> = {
  DATABASE_READ_ONLY: 'database_read_only',
  DATABASE_NOT_IN_CLUSTER: 'database_not_in_cluster',
}

/** Whether the database answers, takes writes, and has the tables of this version: by a few statements that read. */
export const databaseHealth = async (database: Database): Promise<Checked> => {
  try {
    await assertTakesWrites(database)
    const pending = await pendingMigrations(database)
    return {
      components: {
        database: { state: 'ok' },
        migrations: pending.length === 0 ? { state: 'ok' } : { state: 'failed', code: 'migrations_pending' },
      },
      reasons: pending.length === 0 ? {} : { migrations: pending.join(', ') },
    }
  } catch (cause) {
    const reason = databaseErrorCode(cause)
    return failed(codes[reason] ?? 'database_unavailable', reason)
  }
}
