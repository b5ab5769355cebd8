import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { identity, makeServerFolder } from '../mariadb-process.js'
import { runCommand } from '../run-command.js'
import { until } from '../until.js'
import { groupNode, type GroupNode } from './group-node.js'
import { groupProgram, type Program } from './mysql-program.js'
import { startNetwork, type Network } from './network.js'
import { memberSettings } from './settings.js'
import { openSocketDoor } from './socket-door.js'

/** A group of MySQL servers, of which one takes writes. */
export type Group = Readonly<{
  nodes: readonly GroupNode[]
  /** Makes an empty database; gives its address on all members, as `DATABASE_URL` takes it. */
  createDatabase(): Promise<string>
  /** The one that takes writes. */
  primary(): Promise<GroupNode>
  /** The one that has all that any other has, when all of them run. */
  mostAdvanced(): Promise<GroupNode>
  /** Brings back who was expelled; resolves when all are members and have the same data. */
  whole(): Promise<void>
  /** Ends all members and removes their folders. */
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

/** Who was expelled learns that late, and sees all others online until then. Where all were, an operator begins the group anew. */
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
