import { execFile } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { RowDataPacket } from 'mysql2'
import type { Connection } from 'mysql2/promise'
import {
  endServer,
  isAvailable,
  runCommand,
  testsServers,
  type ClusterNode,
  type ServerChild,
} from './processes.js'
import { freePort } from './free-port.js'
import {
  asAdministrator,
  giveNewData,
  identity,
  makeServerFolder,
  mariaDbPrograms,
  queryAsAdministrator,
  runMariaDb,
  serverArguments,
} from './mariadb.js'
import { until } from './until.js'

/** Ports of a node: for clients, for the group, for missed write sets, for whole copies of data. */
type NodePorts = Readonly<{ sql: number; group: number; missed: number; copy: number }>

/** Galera's library in the folders of distributions; undefined if it is not installed. */
const galeraProvider = (): string | undefined =>
  ['/usr/lib/galera/libgalera_smm.so', '/usr/lib64/galera-4/libgalera_smm.so'].find((path) =>
    existsSync(path),
  )

export const galeraAvailable = (): boolean =>
  testsServers &&
  isAvailable(mariaDbPrograms() !== undefined && galeraProvider() !== undefined, 'Galera is not installed')

/**
 * A node of a cluster on loopback. A node that was away catches up by the write sets that the others kept; copies of whole data,
 * which need more packages, are never needed by runs this short.
 */
const nodeSettings = (
  provider: string,
  name: string,
  ports: NodePorts,
  all: readonly NodePorts[],
): readonly string[] => [
  '--innodb-buffer-pool-size=64M',
  '--innodb-log-file-size=32M',
  '--max-allowed-packet=64M',
  '--binlog-format=ROW',
  '--innodb-autoinc-lock-mode=2',
  '--wsrep-on=ON',
  `--wsrep-provider=${provider}`,
  '--wsrep-cluster-name=account-import-test',
  `--wsrep-node-name=${name}`,
  `--wsrep-cluster-address=gcomm://${all.map(({ group }) => `127.0.0.1:${group}`).join(',')}`,
  `--wsrep-node-address=127.0.0.1:${ports.group}`,
  `--wsrep-node-incoming-address=127.0.0.1:${ports.sql}`,
  '--wsrep-sst-method=rsync',
  `--wsrep-sst-receive-address=127.0.0.1:${ports.copy}`,
  '--wsrep-slave-threads=2',
  `--wsrep-provider-options=${[
    'base_host=127.0.0.1',
    `base_port=${ports.group}`,
    `gmcast.listen_addr=tcp://127.0.0.1:${ports.group}`,
    `ist.recv_addr=127.0.0.1:${ports.missed}`,
    'gcache.size=256M',
    'evs.suspect_timeout=PT2S',
    'evs.inactive_timeout=PT4S',
    'evs.keepalive_period=PT0.5S',
    'pc.recovery=false',
  ].join(';')}`,
]

/** A cluster as a node sees it: its id changes when a node leaves or joins it. */
type GaleraView = Readonly<{ id: string; size: number }>

type GaleraNode = ClusterNode &
  Readonly<{
    port: number
    /** The address of a database, in the form of `DATABASE_URL`. */
    url(database: string): string
    /** The cluster that it sees; undefined while it has not all that the others have, or no majority. */
    view(): Promise<GaleraView | undefined>
  }>

const viewOf = async (connection: Connection): Promise<GaleraView | undefined> => {
  const [rows] = await connection.query<RowDataPacket[]>("SHOW GLOBAL STATUS LIKE 'wsrep_%'")
  const status = new Map(rows.map((row) => [String(row['Variable_name']), String(row['Value'])]))
  const isIn =
    status.get('wsrep_ready') === 'ON' &&
    status.get('wsrep_cluster_status') === 'Primary' &&
    status.get('wsrep_local_state_comment') === 'Synced'
  if (!isIn) return undefined
  return { id: String(status.get('wsrep_cluster_conf_id')), size: Number(status.get('wsrep_cluster_size')) }
}

const isSynced = async (connection: Connection): Promise<boolean> => (await viewOf(connection)) !== undefined

/** The position of a killed node, from its data, which its cluster needs at the restart. */
const recovered = async (server: string, args: readonly string[]): Promise<readonly string[]> => {
  const { stderr } = await promisify(execFile)(server, [...args, '--wsrep-recover'], identity)
  const position = /Recovered position:?\s*([0-9a-f-]{36}:-?\d+)/.exec(stderr)?.[1]
  if (position === undefined) throw new Error(`The node does not say where it was:\n${stderr.slice(-2000)}`)
  return [`--wsrep-start-position=${position}`]
}

/** A node on the data in its folder; it does not run yet. */
const galeraNode = (
  server: string,
  folder: string,
  name: string,
  port: number,
  settings: readonly string[],
): GaleraNode => {
  let running: ServerChild | undefined
  let isWhole = true
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (running !== undefined) await endServer(running, signal)
    running = undefined
    isWhole = signal === 'SIGTERM'
  }
  const query = (sql: string): Promise<readonly RowDataPacket[]> => queryAsAdministrator(port, sql)
  const setProvider = async (option: string): Promise<void> => {
    await query(`SET GLOBAL wsrep_provider_options='${option}'`)
  }
  return {
    name,
    port,
    url: (database) => `mysql://root@127.0.0.1:${port}/${database}`,
    async start(isFirst = false) {
      const position = isWhole ? [] : await recovered(server, serverArguments(folder, port, settings))
      const more = [...position, ...(isFirst ? ['--wsrep-new-cluster'] : [])]
      running = await runMariaDb(server, folder, port, [...settings, ...more], isSynced)
    },
    kill: () => end('SIGKILL'),
    end: () => end('SIGTERM'),
    pause: () => void running?.child.kill('SIGSTOP'),
    resume: () => void running?.child.kill('SIGCONT'),
    isolate: () => setProvider('gmcast.isolate=1'),
    rejoin: () => setProvider('gmcast.isolate=0'),
    goOnAlone: () => setProvider('pc.bootstrap=1'),
    view: () => asAdministrator(port, viewOf).catch(() => undefined),
    query,
  }
}

/** A cluster on ports of the loopback address, in temporary folders. */
export type Galera = Readonly<{
  nodes: readonly GaleraNode[]
  /** Makes an empty database on all nodes; gives its new name. */
  createDatabase(): Promise<string>
  /** Resolves when all nodes are in one cluster that has its majority, and take writes. */
  whole(mostMilliseconds?: number): Promise<void>
  stop(): Promise<void>
}>

/**
 * Starts all nodes with the data of the first one after it was alone in the cluster: the data has cluster and position, so that
 * no node needs a copy of another.
 */
const giveSameData = async (
  install: string,
  [first = '', ...others]: readonly string[],
  [firstNode]: readonly GaleraNode[],
): Promise<void> => {
  await giveNewData(install, first)
  await firstNode?.start(true)
  await firstNode?.end()
  for (const other of others) await runCommand('cp', ['-a', join(first, 'data'), other])
}

/** For this time all nodes have to agree: a node that hung reports its earlier state until it hears of the others. */
const heldMilliseconds = 1000

/** Resolves when all nodes see the same cluster with all of them in it, and still do after a while. */
const agreement = async (nodes: readonly GaleraNode[], mostMilliseconds = 60_000): Promise<void> => {
  let seen: string | undefined
  let since = 0
  const isHeld = async (): Promise<boolean> => {
    const [first, ...others] = await Promise.all(nodes.map((node) => node.view()))
    const isWhole = first?.size === nodes.length && others.every((other) => other?.id === first.id)
    const now = performance.now()
    if (!isWhole || first.id !== seen) since = now
    seen = isWhole ? first.id : undefined
    return isWhole && now - since >= heldMilliseconds
  }
  await until(isHeld, `all ${nodes.length} nodes are in one cluster`, mostMilliseconds)
}

/** Starts a cluster of three nodes. They end with this process at the latest. */
export const startGalera = async (): Promise<Galera> => {
  const [programs, provider] = [mariaDbPrograms(), galeraProvider()]
  if (programs === undefined || provider === undefined) throw new Error('Galera is not installed')
  const ports: NodePorts[] = []
  for (let index = 0; index < 3; index += 1) {
    const [sql, group, missed] = [await freePort(), await freePort(), await freePort()]
    ports.push({ sql, group, missed, copy: await freePort() })
  }
  const folders = ports.map(() => makeServerFolder())
  const nodes = ports.map((own, index) => {
    const name = `node-${index + 1}`
    const settings = nodeSettings(provider, name, own, ports)
    return galeraNode(programs.server, folders[index] ?? '', name, own.sql, settings)
  })
  const stop = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.kill()))
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  }
  let databases = 0
  try {
    await giveSameData(programs.install, folders, nodes)
    for (const [index, node] of nodes.entries()) await node.start(index === 0)
    await agreement(nodes)
  } catch (cause) {
    await stop()
    throw cause
  }
  return {
    nodes,
    stop,
    whole: (mostMilliseconds) => agreement(nodes, mostMilliseconds),
    async createDatabase() {
      const name = `import_${(databases += 1)}`
      await nodes[0]?.query(`CREATE DATABASE ${name}`)
      const isThere = `SHOW DATABASES LIKE '${name}'`
      for (const node of nodes)
        await until(async () => (await node.query(isThere)).length === 1, `${node.name} has ${name}`)
      return name
    },
  }
}
