import { spawn } from 'node:child_process'
import { openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { freePort } from './free-port.js'
import { identity, makeServerFolder } from './mariadb.js'
import { endServer, findExecutable, guarded, isAvailable, testsServers } from './processes.js'
import type { Postgresql } from './postgresql.js'
import { until } from './until.js'

export const pgBouncerAvailable = (): boolean =>
  testsServers && isAvailable(findExecutable('pgbouncer') !== undefined, 'PgBouncer is not installed')

/** A pooler before a server: each transaction may be on another of its few connections. */
export type Pooler = Readonly<{
  /** The address of a database of the server, by the pooler. */
  url(database: string): string
  stop(): Promise<void>
}>

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const end = (isOpen: boolean): void => {
      socket.destroy()
      resolve(isOpen)
    }
    socket.on('connect', () => end(true)).on('error', () => end(false))
  })

/** Starts PgBouncer in transaction mode, with the parameters of a start that it knows by default. It ends with this process at the latest. */
export const startPgBouncer = async (server: Postgresql, connections: number): Promise<Pooler> => {
  const program = findExecutable('pgbouncer')
  if (program === undefined) throw new Error('PgBouncer is not installed')
  const folder = makeServerFolder()
  const port = await freePort()
  const settings = [
    '[databases]',
    `* = host=127.0.0.1 port=${server.port} user=postgres`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    `default_pool_size = ${connections}`,
  ]
  writeFileSync(join(folder, 'settings.ini'), `${settings.join('\n')}\n`)
  const log = openSync(join(folder, 'log'), 'a')
  const child = spawn(program, [join(folder, 'settings.ini')], { ...identity, stdio: ['ignore', log, log] })
  const running = guarded(child, folder)
  await until(() => accepts(port), 'PgBouncer accepts connections').catch((cause: unknown) => {
    throw new Error(readFileSync(join(folder, 'log'), 'utf8'), { cause })
  })
  return {
    url: (database) => `postgres://postgres@127.0.0.1:${port}/${database}`,
    async stop() {
      await endServer(running, 'SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
