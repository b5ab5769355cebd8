import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { createConnection } from 'mysql2/promise'
import { findExecutable } from './executables.js'
import { freePort } from './free-port.js'
import { guard } from './guard.js'
import { runCommand } from './run-command.js'

/** A MariaDB of our own, in a temporary folder, on a port of the loopback address; durable as by default. */
export type MariaDb = Readonly<{
  /** The address of one of its databases. */
  url(database: string): string
  /** Makes an empty database of a new name; gives its address. */
  createDatabase(): Promise<string>
  /** Of the server; another one after a restart. */
  pid: number
  port: number
  /** Kills the server without warning. Its data stays; `restart` starts it again on the same port. */
  kill(): Promise<void>
  restart(): Promise<void>
  /** Ends the server and removes its folder. */
  stop(): Promise<void>
}>

/** An unprivileged user: the server refuses to run as root. */
const nobody = 65534
const asRoot = process.getuid?.() === 0
const identity = asRoot ? { uid: nobody, gid: nobody } : {}

const programs = (): Readonly<{ server: string; install: string }> | undefined => {
  const server = findExecutable('mariadbd')
  const install = findExecutable('mariadb-install-db')
  return server === undefined || install === undefined ? undefined : { server, install }
}

/**
 * Whether MariaDB is installed. With REQUIRE_SERVERS=1 its absence is an error; without, AVA's configuration says
 * once for all test files what is left out.
 */
export const mariaDbAvailable = (): boolean => {
  if (programs() !== undefined) return true
  if (process.env['REQUIRE_SERVERS'] === '1')
    throw new Error('MariaDB is not installed, and REQUIRE_SERVERS=1 asks for it')
  return false
}

const makeFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'account-import-mariadb-'))
  chmodSync(folder, 0o755)
  if (asRoot) chownSync(folder, nobody, nobody)
  return folder
}

const initialise = (install: string, folder: string): Promise<void> =>
  runCommand(
    install,
    [
      '--no-defaults',
      `--datadir=${folder}/data`,
      `--tmpdir=${folder}`, // a starting server removes other servers' temporary tables from a shared one
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
      '--skip-name-resolve',
    ],
    identity,
  )

const launch = (server: string, folder: string, port: number, settings: readonly string[]): ChildProcess => {
  const log = openSync(join(folder, 'log'), 'a')
  return spawn(
    server,
    [
      '--no-defaults',
      `--datadir=${folder}/data`,
      `--tmpdir=${folder}`,
      `--socket=${folder}/socket`,
      `--pid-file=${folder}/pid`,
      '--bind-address=127.0.0.1',
      `--port=${port}`,
      '--skip-name-resolve',
      '--character-set-server=utf8mb4',
      '--max-connections=300',
      '--innodb-flush-log-at-trx-commit=1',
      ...settings,
    ],
    { ...identity, stdio: ['ignore', log, log] },
  )
}

const connect = (port: number): ReturnType<typeof createConnection> =>
  createConnection({ host: '127.0.0.1', port, user: 'root', password: '' })

const accepting = async (child: ChildProcess, folder: string, port: number): Promise<void> => {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    if (child.exitCode !== null) break
    try {
      await (await connect(port)).end()
      return
    } catch {
      await setTimeout(50) // not yet: asked again until the attempts are used up
    }
  }
  throw new Error(`MariaDB does not accept connections:\n${readFileSync(join(folder, 'log'), 'utf8')}`)
}

type Running = Readonly<{ child: ChildProcess; dismissGuard: () => void }>

const run = async (
  server: string,
  folder: string,
  port: number,
  settings: readonly string[],
): Promise<Running> => {
  const child = launch(server, folder, port, settings)
  const dismissGuard = guard(child.pid ?? -1, folder)
  await accepting(child, folder, port)
  return { child, dismissGuard }
}

const end = async ({ child, dismissGuard }: Running, signal: NodeJS.Signals): Promise<void> => {
  if (child.exitCode === null && child.signalCode === null) {
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }
  dismissGuard()
}

const createDatabase = async (port: number, name: string): Promise<void> => {
  const connection = await connect(port)
  await connection.query(`CREATE DATABASE ${name}`)
  await connection.end()
}

/** Starts a server with settings of its command line. It ends with this process at the latest. */
export const startMariaDb = async (settings: readonly string[] = []): Promise<MariaDb> => {
  const found = programs()
  if (found === undefined) throw new Error('MariaDB is not installed')
  const folder = makeFolder()
  await initialise(found.install, folder)
  const port = await freePort()
  const url = (database: string): string => `mysql://root@127.0.0.1:${port}/${database}`
  let running = await run(found.server, folder, port, settings)
  let databases = 0
  return {
    url,
    port,
    get pid() {
      return running.child.pid ?? -1
    },
    async createDatabase() {
      databases += 1
      const name = `import_${databases}`
      await createDatabase(port, name)
      return url(name)
    },
    kill: () => end(running, 'SIGKILL'),
    async restart() {
      await end(running, 'SIGTERM')
      running = await run(found.server, folder, port, settings)
    },
    async stop() {
      await end(running, 'SIGTERM')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
