import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { RowDataPacket } from 'mysql2'
import type { ClusterNode } from '../cluster-node.js'
import {
  connectAsRoot,
  endMariaDb,
  identity,
  runMariaDb,
  serverArguments,
  type MariaDbProcess,
} from '../mariadb-process.js'

type Connection = Awaited<ReturnType<typeof connectAsRoot>>

/** One server of a Galera cluster. */
export type GaleraNode = ClusterNode &
  Readonly<{
    port: number
    /** The address of a database, as `DATABASE_URL` takes it. */
    url(database: string): string
    /** The cluster that it sees; undefined while it has not all that the others have, or no majority. */
    view(): Promise<GaleraView | undefined>
  }>

/** A cluster as a node sees it: its id is another one when a node has left it or come. */
type GaleraView = Readonly<{ id: string; size: number }>

const statusOf = async (connection: Connection): Promise<ReadonlyMap<string, string>> => {
  const [rows] = await connection.query<RowDataPacket[]>("SHOW GLOBAL STATUS LIKE 'wsrep_%'")
  return new Map(rows.map((row) => [String(row['Variable_name']), String(row['Value'])]))
}

const viewOf = async (connection: Connection): Promise<GaleraView | undefined> => {
  const status = await statusOf(connection)
  const isIn =
    status.get('wsrep_ready') === 'ON' &&
    status.get('wsrep_cluster_status') === 'Primary' &&
    status.get('wsrep_local_state_comment') === 'Synced'
  if (!isIn) return undefined
  return { id: String(status.get('wsrep_cluster_conf_id')), size: Number(status.get('wsrep_cluster_size')) }
}

const isSynced = async (connection: Connection): Promise<boolean> => (await viewOf(connection)) !== undefined

/** Where a node that was killed was, which its data says and its cluster has to be told. */
const recovered = async (server: string, args: readonly string[]): Promise<readonly string[]> => {
  const { stderr } = await promisify(execFile)(server, [...args, '--wsrep-recover'], identity)
  const position = /Recovered position:?\s*([0-9a-f-]{36}:-?\d+)/.exec(stderr)?.[1]
  if (position === undefined) throw new Error(`The node does not say where it was:\n${stderr.slice(-2000)}`)
  return [`--wsrep-start-position=${position}`]
}

/** A node on the data in its folder; it does not run yet. */
export const galeraNode = (
  server: string,
  folder: string,
  name: string,
  port: number,
  settings: readonly string[],
): GaleraNode => {
  let running: MariaDbProcess | undefined
  let isWhole = true
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (running !== undefined) await endMariaDb(running, signal)
    running = undefined
    isWhole = signal === 'SIGTERM'
  }
  const signal = (name: NodeJS.Signals): void => void running?.child.kill(name)
  const onConnection = async <A>(work: (connection: Connection) => Promise<A>): Promise<A> => {
    const connection = await connectAsRoot(port)
    try {
      return await work(connection)
    } finally {
      connection.destroy()
    }
  }
  const query = (sql: string): Promise<readonly RowDataPacket[]> =>
    onConnection(async (connection) => (await connection.query<RowDataPacket[]>(sql))[0])
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
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    isolate: () => setProvider('gmcast.isolate=1'),
    rejoin: () => setProvider('gmcast.isolate=0'),
    goOnAlone: () => setProvider('pc.bootstrap=1'),
    view: () => onConnection(viewOf).catch(() => undefined),
    query,
  }
}
