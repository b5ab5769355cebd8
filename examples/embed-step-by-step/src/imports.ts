import { connectSql, createSqlPorts, migrate } from '@account-import/adapter-sql'
import { type AccessTokens, createImportService, type ImportService } from '@account-import/core'
import { inMemoryPorts } from '@account-import/core/in-memory'
import { platformNumbers } from './platform-numbers.js'
import { platformSequence } from './platform-sequence.js'

/** The import, on its own database and with the numbers of the platform. */
export const createImports = async (
  databaseUrl: string,
  platformUrl: string,
  accessTokens: AccessTokens,
): Promise<ImportService> => {
  const database = connectSql(databaseUrl)
  await migrate(database)
  const platformAccountNumbers = platformNumbers(await platformSequence(platformUrl))
  const stores = createSqlPorts(database)
  return createImportService(inMemoryPorts({ ...stores, accessTokens, platformAccountNumbers }))
}
