import { connectSql, createSqlPorts, migrate } from '@account-import/adapter-sql'
import { type AccessTokens, createImportService, type ImportService } from '@account-import/core'
import { startBackgroundWork } from '@account-import/core/background'
import { inMemoryPorts } from '@account-import/core/in-memory'

export type Imports = Readonly<{ service: ImportService; close(): Promise<void> }>

/**
 * The import on MySQL: the SQL adapter provides the stores; ports without stored data are in memory. Its background work runs
 * until it is closed.
 */
export const openImports = async (databaseUrl: string, accessTokens: AccessTokens): Promise<Imports> => {
  const database = connectSql(databaseUrl)
  await migrate(database)
  const service = createImportService(inMemoryPorts({ ...createSqlPorts(database), accessTokens }))
  const work = startBackgroundWork(service.useCases)
  return {
    service,
    close: async () => {
      await work.stop()
      await database.destroy()
    },
  }
}
