import { migrate, migrationStatus, rollback, type MigrationStatus } from '@account-import/adapter-sql'
import type { ServerConfig } from '../config/server-config.js'
import { createContainer } from '../container/create-container.js'
import { databaseId, type Database } from '../container/sql-module.js'
import { ensureDataFolder } from './data-folder.js'
import { waitingForOthers } from './waiting-for-others.js'

const onDatabase = async <A>(config: ServerConfig, work: (database: Database) => Promise<A>): Promise<A> => {
  await ensureDataFolder(config)
  const container = createContainer(config, undefined)
  try {
    const database = container.get(databaseId)
    return await waitingForOthers(() => work(database))
  } finally {
    await container.unbindAllAsync()
  }
}

/** The migrations of the configured database. Rejects with `StartError`, as all of these do. */
export const migrationsOf = (config: ServerConfig): Promise<MigrationStatus> =>
  onDatabase(config, migrationStatus)

/** Runs what is pending; answers the names of what this call ran. */
export const migrateDatabase = (config: ServerConfig): Promise<readonly string[]> =>
  onDatabase(config, migrate)

/** Undoes the migrations of the last run; answers their names. */
export const rollbackDatabase = (config: ServerConfig): Promise<readonly string[]> =>
  onDatabase(config, rollback)
