import { rawApi } from '../journeys/support/raw-api.js'
import { tokenOf } from '../journeys/support/token-of.js'
import { startServerProcess } from '../support/server-process.js'
import { openSharedDatabase, type SharedDatabase } from '../support/shared-database.js'
import { listReader, type ListReader } from './list-reader.js'

/** A server process on a database that can be looked into, and what a client with a token can ask of it. */
export type Surroundings = Readonly<{
  database: SharedDatabase
  address: string
  pid: number
  reader: ListReader
}>

/** Works on an empty database, with an organisation that has a supplier and a team. */
export const withDatabase = async <A>(
  url: string,
  work: (database: SharedDatabase) => Promise<A>,
): Promise<A> => {
  const database = await openSharedDatabase(url)
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** Works with a server that has just been started on the database. */
export const withServer = async <A>(
  database: SharedDatabase,
  work: (surroundings: Surroundings) => Promise<A>,
): Promise<A> => {
  const { address, pid, stop } = await startServerProcess(database.environment)
  try {
    const token = await tokenOf(rawApi(address), database.apiKey)
    return await work({ database, address, pid, reader: listReader(address, database.supplier, token) })
  } finally {
    await stop()
  }
}
