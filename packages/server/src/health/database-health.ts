import type { HealthCode } from '@account-import/adapter-http-koa'
import { pendingMigrations } from '@account-import/adapter-sql'
import type { Database } from '../container/sql-module.js'
import { databaseErrorCode } from '../database-error.js'
import type { Checked } from './checked.js'

const failed = (code: HealthCode, reason: string): Checked => ({
  components: { database: { state: 'failed', code }, migrations: { state: 'unknown', code } },
  reasons: { database: reason },
})

/** What is said of a database that takes too long. */
export const databaseLate: Checked = failed('timed_out', 'ETIMEDOUT')

/** Whether the database answers, and has the tables of this version: both by one statement that reads. */
export const databaseHealth = async (database: Database): Promise<Checked> => {
  try {
    const pending = await pendingMigrations(database)
    return {
      components: {
        database: { state: 'ok' },
        migrations: pending.length === 0 ? { state: 'ok' } : { state: 'failed', code: 'migrations_pending' },
      },
      reasons: pending.length === 0 ? {} : { migrations: pending.join(', ') },
    }
  } catch (cause) {
    return failed('database_unavailable', databaseErrorCode(cause))
  }
}
