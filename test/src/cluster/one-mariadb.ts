import type { RowDataPacket } from 'mysql2'
import { createConnection } from 'mysql2/promise'
import { smallDiskAvailable, startMariaDb, startSmallDisk } from '../servers/index.js'
import type { TriedCluster } from './fault.js'
import { databaseKilled, diskFull, serverKilled } from './faults/on-one.js'
import { races } from './faults/on-nodes.js'

const versionOf = async (url: string): Promise<string> => {
  const connection = await createConnection({ uri: url })
  try {
    const [rows] = await connection.query<RowDataPacket[]>('SELECT VERSION() AS version')
    return String(rows[0]?.['version'])
  } finally {
    await connection.end()
  }
}

/** Room for its data and its logs, and some. */
const megabytes = 512

/** One MariaDB, on a disk of its own where there can be one, and two servers of ours. */
export const startOneMariaDb = async (): Promise<TriedCluster> => {
  const disk = smallDiskAvailable() ? await startSmallDisk(megabytes) : undefined
  const database = await startMariaDb([], disk?.folder)
  const cluster = {
    name: 'MariaDB',
    what: `MariaDB ${await versionOf(database.url(''))}`,
    async createDatabase() {
      const url = await database.createDatabase()
      return [url, url]
    },
    whole: async () => undefined,
    async stop() {
      await database.stop()
      await disk?.stop()
    },
  }
  const faults = [races, serverKilled, databaseKilled(database)]
  return { cluster, faults: disk === undefined ? faults : [...faults, diskFull(disk, false)] }
}
