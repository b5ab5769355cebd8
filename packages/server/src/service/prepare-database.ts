import { migrate, migrationStatus } from '@account-import/adapter-sql'
import type { ServerConfig } from '../config/server-config.js'
import type { Database } from '../container/sql-module.js'
import { StartError } from '../start-error.js'
import { migrationsOf } from './migrations.js'
import { waitingForOthers } from './waiting-for-others.js'
import { typed } from '../program-name.js'

const migrationsPending = (pending: readonly string[]): StartError =>
  new StartError(
    'migrations_pending',
    `The database lacks ${pending.length} migration${pending.length === 1 ? '' : 's'}: ${pending.join(', ')}.` +
      ` Run: ${typed('migrate')} (or start with: ${typed('serve --migrate')})`,
  )

/** Another server may run what is pending while this one waits for its turn, or for a database that takes writes. */
const migratePending = async (database: Database): Promise<readonly string[]> =>
  (await migrationStatus(database)).pending.length > 0 ? migrate(database) : []

/**
 * Makes sure that the database can be reached and has the tables of this version: runs pending migrations where
 * that is allowed, and refuses where it is not, so that an upgrade of a shared database is a decision. A database server
 * that takes no writes now, but has the tables, will do: a service may start beside a secondary, and waits for it. Answers the
 * names of what this call ran.
 */
export const prepareDatabase = async (
  config: ServerConfig,
  database: Database,
  mayMigrate: boolean,
): Promise<readonly string[]> => {
  if (config.database.kind === 'server') {
    const { pending } = await migrationsOf(config)
    if (pending.length === 0) return []
    if (!mayMigrate) throw migrationsPending(pending)
  }
  return waitingForOthers(() => migratePending(database))
}
