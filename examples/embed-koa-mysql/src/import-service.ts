import { connectSql, createSqlPorts, migrate } from '@account-import/adapter-sql'
import { makeUseCases, type AccessTokens, type UseCases } from '@account-import/core'
import { startBackgroundWork } from '@account-import/core/background'
import { inMemoryPorts } from '@account-import/core/in-memory'

export type ImportService = Readonly<{ useCases: UseCases; close(): Promise<void> }>

/**
 * The import on MySQL: the SQL adapter provides the stores; ports without stored data are in memory. Its background work runs
 * until it is closed.
 */
export const createImportService = async (
  databaseUrl: string,
  accessTokens: AccessTokens,
): Promise<ImportService> => {
  const database = connectSql(databaseUrl)
  await migrate(database)
  const useCases = makeUseCases(inMemoryPorts({ ...createSqlPorts(database), accessTokens }))
  const work = startBackgroundWork(useCases)
  return {
    useCases,
    close: async () => {
      await work.stop()
      await database.destroy()
    },
  }
}
