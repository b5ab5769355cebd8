import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RowDataPacket } from 'mysql2'
import { createConnection } from 'mysql2/promise'
import type { ClusterNode } from '../cluster-node.js'
import { guard } from '../guard.js'
import { until } from '../until.js'
import type { Program } from './mysql-program.js'
import type { Network } from './network.js'

/** One member of a group. */
export type GroupNode = ClusterNode &
  Readonly<{
    /** Starts the server, which is then no member yet. */
    launch(): Promise<void>
    /** Makes it the one that takes writes. */
    lead(): Promise<void>
    leads(): Promise<boolean>
    /** Joins it again where it has left its group, or was expelled. */
    comeBack(): Promise<void>
    /** Whether it takes itself for a member that is online, or will be. */
    isOnline(): Promise<boolean>
    /** How many members it sees online. */
    membersOnline(): Promise<number>
  }>

export type Place = Readonly<{ program: Program; folder: string; place: number; network: Network }>

/** Whom the server runs as: it refuses to run as root. */
const asNobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']

const members = 'performance_schema.replication_group_members'

type Running = Readonly<{ child: ChildProcess; dismissGuard: () => void }>

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
export const groupNode = (
  { program, folder, place, network }: Place,
  settings: readonly string[],
): GroupNode => {
  const [command, ...args] = program
  let running: Running | undefined
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
    running = { child, dismissGuard: guard(child.pid ?? -1, folder) }
    await network.plugIn(child.pid ?? -1, place)
    await accepting(child, folder, () => query('SELECT 1'))
  }
  const signal = (name: NodeJS.Signals): void => void running?.child.kill(name)
  const endBy = async (name: NodeJS.Signals): Promise<void> => {
    if (running === undefined) return
    const { child, dismissGuard } = running
    running = undefined
    if (child.exitCode === null && child.signalCode === null) {
      const gone = once(child, 'exit')
      child.kill(name)
      await gone
    }
    dismissGuard()
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
      // Commits that are on their way are ended first: a server that is only told to end lets them wait for a minute.
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
