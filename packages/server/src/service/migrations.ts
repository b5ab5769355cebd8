import {
  connectSql,
  migrate,
  migrationStatus,
  type ConnectOptions,
  type MigrationStatus,
} from '@account-import/adapter-sql'
import type { ServerConfig } from '../config/server-config.js'
import type { Database } from '../container/sql-module.js'
import { ensureDataFolder, requireData } from './data-folder.js'
import { StartError } from '../start-error.js'
import { waitingForOthers } from './waiting-for-others.js'

const onDatabase = async <A>(
  config: ServerConfig,
  work: (database: Database) => Promise<A>,
  options: ConnectOptions = {},
): Promise<A> => {
  const database = connectSql(config.database.url, options)
  try {
    return await waitingForOthers(() => work(database))
  } finally {
    await database.destroy()
  }
}

/** The migrations of the configured database, by reading alone. Rejects with `StartError`, as all of these do. */
export const migrationsOf = async (config: ServerConfig): Promise<MigrationStatus> => {
  await requireData(config)
  return onDatabase(config, migrationStatus, { onlyReads: true })
}

/** Only the version that made tables knows what they become next. */
const refuseLater = async (config: ServerConfig): Promise<void> => {
  const { unknown } = await onDatabase(config, migrationStatus, { onlyReads: true })
  if (unknown.length > 0)
    throw new StartError(
      'migrations_of_later_version',
      `The database has migrations of a later version: ${unknown.join(', ')}. Nothing was changed.` +
        ' This version can serve on it; to migrate, use that version.',
    )
}

/** Runs what is pending; answers the names of what this call ran. */
export const migrateDatabase = async (config: ServerConfig): Promise<readonly string[]> => {
  await ensureDataFolder(config)
  await refuseLater(config)
  return onDatabase(config, migrate)
}
