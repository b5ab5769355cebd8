import { connectSql, createSqlPorts, migrate } from '@account-import/adapter-sql'
import { makeUseCases, type AccessTokens, type UseCases } from '@account-import/core'
import { inMemoryPorts } from '@account-import/core/in-memory'
import { platformNumbers } from './platform-numbers.js'
import { platformSequence } from './platform-sequence.js'

/** The import, on its own database and with the numbers of the platform. */
export const createImports = async (
  databaseUrl: string,
  platformUrl: string,
  accessTokens: AccessTokens,
): Promise<UseCases> => {
  const database = connectSql(databaseUrl)
  await migrate(database)
  const platformAccountNumbers = platformNumbers(await platformSequence(platformUrl))
  return makeUseCases(inMemoryPorts({ ...createSqlPorts(database), accessTokens, platformAccountNumbers }))
}
