import { createClient, type Client } from '@account-import/client'
import type { ExecutionContext } from 'ava'
import type { MariaDb } from '../servers/index.js'
import type { CliEnvironment } from '../support/cli-process.js'
import { startServerProcess, type ServerProcess } from '../support/server-process.js'
import { openSharedDatabase, type SharedDatabase } from '../support/shared-database.js'

export type TwoServers = Readonly<{
  database: SharedDatabase
  servers: readonly ServerProcess[]
  addresses: readonly string[]
  clients: readonly Client[]
}>

/** A database of its own with two server processes on it, and a client of each. */
export const twoServers = async (
  t: ExecutionContext,
  mariaDb: MariaDb,
  settings: CliEnvironment = {},
): Promise<TwoServers> => {
  const database = await openSharedDatabase(await mariaDb.createDatabase(), settings)
  t.teardown(() => database.close())
  const start = async (): Promise<ServerProcess> => {
    const server = await startServerProcess(database.environment)
    t.teardown(async () => {
      await server.stop()
    })
    return server
  }
  const servers = await Promise.all([start(), start()])
  const addresses = servers.map(({ address }) => address)
  const { apiKey } = database
  const clients = addresses.map((baseUrl) => createClient({ baseUrl, apiKey }))
  return { database, servers, addresses, clients }
}
