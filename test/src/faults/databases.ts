import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  asAdministrator,
  galeraAvailable,
  groupProgram,
  mariaDbAvailable,
  postgresqlAvailable,
  smallDiskAvailable,
  spiderAvailable,
  startGalera,
  startGroup,
  startMariaDb,
  startPostgresql,
  startSmallDisk,
} from '../servers/index.js'
import type { RowDataPacket } from 'mysql2'
import type { Connection } from 'mysql2/promise'
import { faultRun, type FaultOutcome } from './fault-run.js'
import { races, serverKilled, type Fault } from './faults/on-servers.js'
import { databaseKilled, dataNodeKilled, diskFull, groupFaults, nodeFaults } from './faults/on-databases.js'
import type { RequestKind } from './loads/requests.js'
import { startShardedDatabases } from '../shards/support/sharded-databases.js'
import { inWorld, untilAllSay } from './world/world.js'

/** Database servers with the same data, or a single one, and their faults. */
export type Databases = Readonly<{
  name: string
  /** Its name, with versions, for the report. */
  what: string
  faults: readonly Fault[]
  /** The addresses of a new, empty database, in the form of `DATABASE_URL`: one for each of our servers. */
  createDatabase(): Promise<readonly string[]>
  /** Resolves when all nodes belong to the cluster, have the same data and take writes. */
  whole(): Promise<void>
  /** The tables that differ between the nodes, of the database at these addresses. */
  differences(urls: readonly string[]): Promise<readonly string[]>
  /** Stops all nodes, and removes their files. */
  stop(): Promise<void>
}>

/** Checksums of all tables at an address, once it has the earlier commits of the other nodes. */
const checksums = (url: string): Promise<ReadonlyMap<string, string>> => {
  const { port, pathname } = new URL(url)
  const sums = async (connection: Connection): Promise<ReadonlyMap<string, string>> => {
    await connection.query('SET SESSION wsrep_sync_wait = 15')
    const [tables] = await connection.query<RowDataPacket[]>('SHOW TABLES')
    const names = tables.map((row) => String(Object.values(row)[0]))
    const [rows] = await connection.query<RowDataPacket[]>(`CHECKSUM TABLE ${names.join(', ')}`)
    return new Map(rows.map((row) => [String(row['Table']), String(row['Checksum'])]))
  }
  return asAdministrator(Number(port), sums, pathname.slice(1))
}

const differences = async (urls: readonly string[]): Promise<readonly string[]> => {
  const nodes = await Promise.all(urls.map(checksums))
  const tables = new Set(nodes.flatMap((sums) => [...sums.keys()]))
  return [...tables].flatMap((table) => {
    const sums = nodes.map((node) => node.get(table) ?? 'none')
    return new Set(sums).size === 1 ? [] : [`${table} differs between the nodes: ${sums.join(', ')}`]
  })
}

const startGaleraCluster = async (): Promise<Databases> => {
  const galera = await startGalera()
  const [versions] =
    (await galera.nodes[0]?.query(
      'SELECT VERSION() AS server, VARIABLE_VALUE AS galera FROM information_schema.GLOBAL_STATUS ' +
        "WHERE VARIABLE_NAME = 'wsrep_provider_version'",
    )) ?? []
  return {
    name: 'Galera',
    what: `3 nodes of MariaDB ${versions?.['server']} with Galera ${versions?.['galera']}`,
    faults: nodeFaults(galera.nodes),
    async createDatabase() {
      const name = await galera.createDatabase()
      return galera.nodes.map((node) => node.url(name))
    },
    async whole() {
      try {
        await galera.whole(30_000)
      } catch {
        // A node that does not rejoin by itself is restarted, as an operator would.
        for (const node of galera.nodes)
          if ((await node.view()) === undefined) {
            console.error(`${node.name} does not come back by itself and is started again`)
            await node.kill()
            await node.start()
          }
        await galera.whole()
      }
    },
    differences,
    stop: () => galera.stop(),
  }
}

const startGroupCluster = async (): Promise<Databases> => {
  const group = await startGroup()
  const [row] = await (await group.primary()).query('SELECT VERSION() AS version')
  return {
    name: 'Group Replication',
    what: `3 members of MySQL ${row?.['version']} with Group Replication, single primary`,
    faults: groupFaults(group),
    async createDatabase() {
      const url = await group.createDatabase()
      return group.nodes.map(() => url)
    },
    whole: () => group.whole(),
    differences: async () => [],
    stop: () => group.stop(),
  }
}

const ownDisk = async (megabytes: number) =>
  smallDiskAvailable() ? await startSmallDisk(megabytes) : undefined

const startOneMariaDb = async (): Promise<Databases> => {
  // Space for its data and its logs, with a reserve.
  const disk = await ownDisk(512)
  const database = await startMariaDb([], disk?.folder)
  const [row] = await database.query('SELECT VERSION() AS version')
  return {
    name: 'MariaDB',
    what: `MariaDB ${row?.['version']}`,
    faults: [
      races,
      serverKilled,
      databaseKilled(database),
      ...(disk === undefined ? [] : [diskFull(disk, false)]),
    ],
    async createDatabase() {
      const url = await database.createDatabase()
      return [url, url]
    },
    whole: async () => undefined,
    differences: async () => [],
    async stop() {
      await database.stop()
      await disk?.stop()
    },
  }
}

const startSharded = async (): Promise<Databases> => {
  const databases = await startShardedDatabases()
  const [row] = await databases.head.query('SELECT VERSION() AS version')
  return {
    name: 'Spider',
    what: `MariaDB ${row?.['version']} with Spider, 3 data nodes`,
    faults: [races, serverKilled, databaseKilled(databases.head), dataNodeKilled(databases.nodeInUse)],
    async createDatabase() {
      const url = await databases.createSharded()
      return [url, url]
    },
    whole: async () => undefined,
    differences: async () => [],
    stop: () => databases.stop(),
  }
}

const startOnePostgresql = async (): Promise<Databases> => {
  const disk = await ownDisk(512)
  const database = await startPostgresql([], disk?.folder)
  const [row] = await database.query('SHOW server_version')
  return {
    name: 'PostgreSQL',
    what: `PostgreSQL ${String(row?.['server_version'])}`,
    faults: [
      races,
      serverKilled,
      databaseKilled(database),
      // PostgreSQL ends where its log has no room, and is started again by hand.
      ...(disk === undefined ? [] : [diskFull(disk, false, () => database.restart())]),
    ],
    async createDatabase() {
      const url = await database.createDatabase()
      return [url, url]
    },
    whole: async () => undefined,
    differences: async () => [],
    async stop() {
      await database.stop()
      await disk?.stop()
    },
  }
}

const startOneSqlite = async (): Promise<Databases> => {
  const disk = await ownDisk(256)
  const folder = mkdtempSync(join(disk?.folder ?? tmpdir(), 'account-import-run-'))
  let databases = 0
  return {
    name: 'SQLite',
    what: 'SQLite of libsql',
    faults: [races, serverKilled, ...(disk === undefined ? [] : [diskFull(disk, true)])],
    async createDatabase() {
      const url = `sqlite:${join(folder, `import-${(databases += 1)}.db`)}`
      return [url, url]
    },
    whole: async () => undefined,
    differences: async () => [],
    async stop() {
      rmSync(folder, { recursive: true })
      await disk?.stop()
    },
  }
}

/** The kinds of databases, and the programs of each that are missing here. */
export const databaseKinds = {
  galera: {
    start: startGaleraCluster,
    missing: () => (galeraAvailable() ? undefined : 'Galera (apt-get install galera-4)'),
  },
  group: {
    start: startGroupCluster,
    missing: () => {
      const program = groupProgram()
      return 'missing' in program ? program.missing : undefined
    },
  },
  mariadb: {
    start: startOneMariaDb,
    missing: () => (mariaDbAvailable() ? undefined : 'MariaDB (apt-get install mariadb-server-core)'),
  },
  postgresql: {
    start: startOnePostgresql,
    missing: () => (postgresqlAvailable() ? undefined : 'PostgreSQL (apt-get install postgresql)'),
  },
  spider: {
    start: startSharded,
    missing: () => (spiderAvailable() ? undefined : 'Spider (apt-get install mariadb-plugin-spider)'),
  },
  sqlite: { start: startOneSqlite, missing: () => undefined },
} satisfies Readonly<Record<string, { start(): Promise<Databases>; missing(): string | undefined }>>

export type DatabaseKind = keyof typeof databaseKinds

/** Staging, processing and adding, one and many at a time, in turns. */
const kinds: readonly RequestKind[] = [
  'staging',
  'processing',
  'staging',
  'processing',
  'additions',
  'bulk staging',
  'bulk processing',
  'processing',
  'additions',
]

/**
 * Injects each fault whose name contains the text `faults` a number of times, under load, into our servers on a new database;
 * returns the result of each run. `pace`: the time of the load around a fault, 1 in a long run, less in a short one.
 */
export async function* databasesRun(
  databases: Databases,
  { faults, rounds, pace }: Readonly<{ faults: string; rounds: number; pace: number }>,
): AsyncGenerator<FaultOutcome> {
  const { whole } = databases
  const settings = { PROCESSING_CLAIM_SECONDS: '2' }
  for (let run = 0; run < rounds; run += 1)
    for (const fault of databases.faults.filter(({ name }) => name.includes(faults))) {
      await whole()
      const urls = await databases.createDatabase()
      yield await inWorld(urls, { settings, mayBeAway: true, busy: 3 }, async (world) => {
        await untilAllSay(world.services, 'ready')
        const differences = () => databases.differences(urls)
        return faultRun(world, fault, {
          kinds,
          clientsEach: 4,
          run,
          pace,
          whole,
          differences,
          leftStaged: 3,
        })
      })
    }
}
