import { migrate, migrationStatus } from '@account-import/adapter-sql'
import type { Database } from '../container/sql-module.js'
import { StartError } from '../start-error.js'
import { waitingForOthers } from './waiting-for-others.js'

const migrationsPending = (pending: readonly string[]): StartError =>
  new StartError(
    'migrations_pending',
    `The database lacks ${pending.length} migration${pending.length === 1 ? '' : 's'}: ${pending.join(', ')}.` +
      ' Run: account-import migrate (or start with: account-import serve --migrate)',
  )

/**
 * Makes sure that the database can be reached and has the tables of this version: runs pending migrations where
 * that is allowed, and refuses where it is not, so that an upgrade of a shared database is a decision.
 */
export const prepareDatabase = async (database: Database, mayMigrate: boolean): Promise<void> => {
  const { pending } = await waitingForOthers(() => migrationStatus(database))
  if (pending.length === 0) return
  if (!mayMigrate) throw migrationsPending(pending)
  await waitingForOthers(() => migrate(database))
}
