import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { existsSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { RowDataPacket } from 'mysql2'
import { createConnection } from 'mysql2/promise'
import {
  endServer,
  findExecutable,
  guarded,
  runCommand,
  type ClusterNode,
  type ServerChild,
} from './processes.js'
import { openSocketDoor, startNetwork, type Network } from './group-network.js'
import { identity, makeServerFolder } from './mariadb.js'
import { until } from './until.js'

/** A program, and its constant arguments. */
type Program = readonly [command: string, ...args: string[]]

/** Programs by which servers get a network of their own. */
const networkPrograms = ['ip', 'unshare', 'nsenter', 'setpriv']

/** MySQL out of another Debian, that was unpacked into a folder: it runs with the libraries of that. */
const unpacked = (root: string): Program => [
  `${root}/lib64/ld-linux-x86-64.so.2`,
  '--library-path',
  `${root}/usr/lib/x86_64-linux-gnu:${root}/usr/lib/mysql/private`,
  `${root}/usr/sbin/mysqld`,
  '--no-defaults',
  `--basedir=${root}/usr`,
  `--lc-messages-dir=${root}/usr/share/mysql`,
  `--character-sets-dir=${root}/usr/share/mysql/charsets`,
  `--plugin-dir=${root}/usr/lib/mysql/plugin`,
]

/** `TEST_MYSQL_ROOT` names this folder; without it the server is that of the search path, unless it is MariaDB. */
const mysqlProgram = (): Program | undefined => {
  const root = process.env['TEST_MYSQL_ROOT']
  if (root !== undefined && root !== '')
    return existsSync(`${root}/usr/sbin/mysqld`) ? unpacked(root) : undefined
  const server = findExecutable('mysqld')
  if (server === undefined || /mariadb/i.test(execFileSync(server, ['--version']).toString()))
    return undefined
  return [server, '--no-defaults']
}

/** The server of a group, or why there can be none here. */
export const groupProgram = (): Program | Readonly<{ missing: string }> => {
  const program = mysqlProgram()
  if (program === undefined) return { missing: 'MySQL (mysqld in the path, or TEST_MYSQL_ROOT)' }
  if (process.getuid?.() !== 0) return { missing: 'the right to make networks (root)' }
  const lacking = networkPrograms.filter((name) => findExecutable(name) === undefined)
  return lacking.length > 0 ? { missing: lacking.join(', ') } : program
}

/** Where a member is reached by the others. */
const groupPort = 33_061

/**
 * A member of a group on a network of its own: within seconds it gives up commits that it cannot make, and is expelled when it is
 * silent.
 */
const memberSettings = (
  folder: string,
  place: number,
  address: string,
  all: readonly string[],
): readonly string[] => [
  `--datadir=${folder}/data`,
  `--tmpdir=${folder}`,
  `--socket=${folder}/socket`,
  `--pid-file=${folder}/pid`,
  '--port=3306',
  '--mysqlx=OFF',
  '--secure-file-priv=NULL',
  '--skip-name-resolve',
  '--max-connections=300',
  '--innodb-buffer-pool-size=64M',
  '--innodb-redo-log-capacity=64M',
  '--innodb-flush-log-at-trx-commit=1',
  '--sync-binlog=1',
  '--sql-require-primary-key=ON',
  `--server-id=${place}`,
  '--gtid-mode=ON',
  '--enforce-gtid-consistency=ON',
  `--report-host=${address}`,
  '--report-port=3306',
  '--plugin-load-add=group_replication.so',
  '--loose-group-replication-group-name=6b6a1f0a-4d55-4f0e-9a57-0b1c2d3e4f50',
  '--loose-group-replication-start-on-boot=OFF',
  `--loose-group-replication-local-address=${address}:${groupPort}`,
  `--loose-group-replication-group-seeds=${all.map((each) => `${each}:${groupPort}`).join(',')}`,
  '--loose-group-replication-recovery-get-public-key=ON',
  '--loose-group-replication-autorejoin-tries=0', // An expelled member gets the command to join again.
  '--loose-group-replication-member-expel-timeout=0',
  '--loose-group-replication-unreachable-majority-timeout=5',
]

/** One member of a group. */
export type GroupNode = ClusterNode &
  Readonly<{
    /** Starts the server, which is then no member yet. */
    launch(): Promise<void>
    /** Makes it the one that takes writes. */
    lead(): Promise<void>
    leads(): Promise<boolean>
    /** Joins a member again after it left its group or was expelled. */
    comeBack(): Promise<void>
    /** Whether it takes itself for a member that is online, or will be. */
    isOnline(): Promise<boolean>
    /** How many members it sees online. */
    membersOnline(): Promise<number>
  }>

type Place = Readonly<{ program: Program; folder: string; place: number; network: Network }>

/** Whom the server runs as: it refuses to run as root. */
const asNobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']

const members = 'performance_schema.replication_group_members'

const accepting = async (child: ChildProcess, folder: string, ask: () => Promise<unknown>): Promise<void> => {
  try {
    await until(async () => {
      if (child.exitCode !== null) throw new Error('it has ended')
      await ask()
      return true
    }, 'MySQL accepts connections')
  } catch (cause) {
    throw new Error(readFileSync(join(folder, 'log'), 'utf8').slice(-4000), { cause })
  }
}

/** A member on the data in its folder; it does not run yet. */
const groupNode = ({ program, folder, place, network }: Place, settings: readonly string[]): GroupNode => {
  const [command, ...args] = program
  let running: ServerChild | undefined
  const query = async (sql: string, timeout = 150_000): Promise<readonly RowDataPacket[]> => {
    const connection = await createConnection({
      socketPath: join(folder, 'socket'),
      user: 'root',
      connectTimeout: 2000,
      multipleStatements: true,
    })
    try {
      const [rows] = await connection.query<RowDataPacket[]>({ sql, timeout })
      return rows
    } finally {
      connection.destroy()
    }
  }
  const launch = async (): Promise<void> => {
    const log = openSync(join(folder, 'log'), 'a')
    const child = spawn('unshare', ['--net', ...asNobody, command, ...args, ...settings], {
      stdio: ['ignore', log, log],
    })
    running = guarded(child, folder)
    await network.plugIn(child.pid ?? -1, place)
    await accepting(child, folder, () => query('SELECT 1'))
  }
  const signal = (name: NodeJS.Signals): void => void running?.child.kill(name)
  const endBy = async (name: NodeJS.Signals): Promise<void> => {
    if (running === undefined) return
    const ending = running
    running = undefined
    await endServer(ending, name)
  }
  const stateIs = async (condition: string): Promise<boolean> =>
    (await query(`SELECT 1 FROM ${members} WHERE MEMBER_ID = @@server_uuid AND ${condition}`)).length === 1
  /** A member that was expelled while it committed may hang here for ever: it is killed, as an operator would do. */
  const leave = async (): Promise<void> => {
    try {
      await query('STOP GROUP_REPLICATION', 30_000)
    } catch {
      await endBy('SIGKILL')
      await launch()
    }
  }
  const enter = async (isFirst: boolean): Promise<void> => {
    if (isFirst) await query('SET GLOBAL group_replication_bootstrap_group = ON')
    await query('START GROUP_REPLICATION')
    if (isFirst) await query('SET GLOBAL group_replication_bootstrap_group = OFF')
    await until(() => stateIs("MEMBER_STATE = 'ONLINE'"), `member ${place} is online`, 150_000)
  }
  const isOnline = (): Promise<boolean> => stateIs("MEMBER_STATE IN ('ONLINE', 'RECOVERING')")
  return {
    name: `member-${place}`,
    launch,
    async start(isFirst = false) {
      if (running === undefined) await launch()
      await enter(isFirst)
    },
    kill: () => endBy('SIGKILL'),
    async end() {
      // Commits in progress are ended first: a server that gets only the command to end lets them wait for a minute.
      await query('STOP GROUP_REPLICATION')
      await endBy('SIGTERM')
    },
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    isolate: () => network.setConnected(place, false),
    rejoin: () => network.setConnected(place, true),
    async comeBack() {
      if (await isOnline()) return
      await leave()
      await enter(false)
    },
    async goOnAlone() {
      await leave()
      await enter(true)
    },
    async lead() {
      await query('SELECT group_replication_set_as_primary(@@server_uuid)')
    },
    leads: () => stateIs("MEMBER_STATE = 'ONLINE' AND MEMBER_ROLE = 'PRIMARY'"),
    isOnline,
    async membersOnline() {
      const [row] = await query(`SELECT COUNT(*) AS found FROM ${members} WHERE MEMBER_STATE = 'ONLINE'`)
      return Number(row?.['found'])
    },
    query,
  }
}

/** A group of MySQL servers, of which one takes writes. */
export type Group = Readonly<{
  nodes: readonly GroupNode[]
  /** Creates an empty database; returns its address on all members, in the form of `DATABASE_URL`. */
  createDatabase(): Promise<string>
  /** The one that takes writes. */
  primary(): Promise<GroupNode>
  /** The one that has all that any other has, when all of them run. */
  mostAdvanced(): Promise<GroupNode>
  /** Joins expelled members again; resolves when all are members and have the same data. */
  whole(): Promise<void>
  stop(): Promise<void>
}>

/** Whom members give their data to. */
const replicator = [
  'SET SQL_LOG_BIN = 0',
  "CREATE USER rpl@'%' IDENTIFIED BY 'made-up'",
  "GRANT REPLICATION SLAVE, CONNECTION_ADMIN, BACKUP_ADMIN, GROUP_REPLICATION_STREAM ON *.* TO rpl@'%'",
  'SET SQL_LOG_BIN = 1',
  'RESET BINARY LOGS AND GTIDS',
  "CHANGE REPLICATION SOURCE TO SOURCE_USER = 'rpl', SOURCE_PASSWORD = 'made-up' FOR CHANNEL 'group_replication_recovery'",
].join(';')

/** Data is made once and copied; each server then gives itself an id of its own. */
const makeData = async ([command, ...args]: Program, folders: readonly string[]): Promise<void> => {
  const [first = '', ...others] = folders
  const settings = ['--initialize-insecure', `--datadir=${first}/data`, `--tmpdir=${first}`]
  await runCommand(command, [...args, ...settings], identity)
  rmSync(join(first, 'data', 'auto.cnf'), { force: true })
  for (const other of others) await runCommand('cp', ['-a', join(first, 'data'), other])
}

const doneBy = async (node: GroupNode): Promise<string> => {
  const [row] = await node.query('SELECT @@GLOBAL.gtid_executed AS done')
  return String(row?.['done']).replaceAll('\n', '')
}

const mostAdvanced = async (nodes: readonly GroupNode[]): Promise<GroupNode> => {
  const done = await Promise.all(nodes.map(doneBy))
  for (const node of nodes) {
    const covers = done.map((other) => `GTID_SUBSET('${other}', @@GLOBAL.gtid_executed)`).join(' AND ')
    const [row] = await node.query(`SELECT ${covers} AS has_all`)
    if (Number(row?.['has_all']) === 1) return node
  }
  throw new Error('Each member has something that another lacks')
}

const sameData = async (nodes: readonly GroupNode[], primary: GroupNode): Promise<void> => {
  const done = await doneBy(primary)
  for (const node of nodes) await node.query(`SELECT WAIT_FOR_EXECUTED_GTID_SET('${done}', 60)`)
}

/**
 * An expelled member learns that late, and sees all others online until then. If all were expelled, an operator starts the group
 * again.
 */
const isWhole = async (nodes: readonly GroupNode[]): Promise<boolean> => {
  const online = await Promise.all(nodes.map((node) => node.isOnline()))
  if (!online.includes(true)) await (await mostAdvanced(nodes)).goOnAlone()
  for (const node of nodes) await node.comeBack()
  const seen = await Promise.all(nodes.map((node) => node.membersOnline()))
  return seen.every((count) => count === nodes.length)
}

const assemble = async (
  nodes: readonly GroupNode[],
  folders: readonly string[],
  network: Network,
): Promise<Group> => {
  const doors = await Promise.all(folders.map((folder) => openSocketDoor(join(folder, 'socket'))))
  const primary = async (): Promise<GroupNode> => {
    for (const node of nodes) if (await node.leads().catch(() => false)) return node
    throw new Error('No member takes writes')
  }
  let databases = 0
  return {
    nodes,
    primary,
    mostAdvanced: () => mostAdvanced(nodes),
    async createDatabase() {
      databases += 1
      await (await primary()).query(`CREATE DATABASE import_${databases}`)
      return `mysql://root@${doors.map(({ port }) => `127.0.0.1:${port}`).join(',')}/import_${databases}`
    },
    async whole() {
      await until(() => isWhole(nodes), 'all are members', 120_000)
      await sameData(nodes, await primary())
    },
    async stop() {
      await Promise.all([...doors.map((door) => door.stop()), ...nodes.map((node) => node.kill())])
      await network.stop()
      for (const folder of folders) rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Starts a group of three in single-primary mode. They end with this process at the latest. */
export const startGroup = async (): Promise<Group> => {
  const program = groupProgram()
  if ('missing' in program) throw new Error(`For Group Replication there is no ${program.missing}`)
  const folders = [makeServerFolder(), makeServerFolder(), makeServerFolder()]
  const network = await startNetwork(folders[0] ?? '')
  await makeData(program, folders)
  const addresses = folders.map((_, index) => network.address(index + 1))
  const nodes = folders.map((folder, index) => {
    const place = index + 1
    const settings = memberSettings(folder, place, network.address(place), addresses)
    return groupNode({ program, folder, place, network }, settings)
  })
  const group = await assemble(nodes, folders, network)
  try {
    for (const [index, node] of nodes.entries()) {
      await node.launch()
      await node.query(replicator)
      await node.start(index === 0)
    }
    await group.whole()
    return group
  } catch (cause) {
    await group.stop()
    throw cause
  }
}
