import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdtempSync, openSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { createConnection } from 'mysql2/promise'
import { findExecutable } from './executables.js'
import { guard } from './guard.js'
import { runCommand } from './run-command.js'

/** An unprivileged user: the server refuses to run as root. */
const nobody = 65534
const asRoot = process.getuid?.() === 0
/** Whom servers run as. */
export const identity = asRoot ? { uid: nobody, gid: nobody } : {}

/** The programs of MariaDB; undefined where it is not installed. */
export const mariaDbPrograms = (): Readonly<{ server: string; install: string }> | undefined => {
  const server = findExecutable('mariadbd')
  const install = findExecutable('mariadb-install-db')
  return server === undefined || install === undefined ? undefined : { server, install }
}

/** A folder for servers. */
export const makeServerFolder = (parent = tmpdir()): string => {
  const folder = mkdtempSync(join(parent, 'account-import-server-'))
  chmodSync(folder, 0o755)
  if (asRoot) chownSync(folder, nobody, nobody)
  return folder
}

/** Makes the data of a new server, in `data` of the folder. */
export const initialise = (install: string, folder: string): Promise<void> =>
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

/** What every server is started with. */
export const serverArguments = (
  folder: string,
  port: number,
  settings: readonly string[],
): readonly string[] => [
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
]

/** A connection as the user who may do everything. */
export const connectAsRoot = (port: number): ReturnType<typeof createConnection> =>
  createConnection({ host: '127.0.0.1', port, user: 'root', password: '' })

type Connection = Awaited<ReturnType<typeof createConnection>>

const ready = async (
  child: ChildProcess,
  folder: string,
  port: number,
  isReady: (connection: Connection) => Promise<boolean>,
): Promise<void> => {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    if (child.exitCode !== null || child.signalCode !== null) break
    try {
      const connection = await connectAsRoot(port)
      const answer = await isReady(connection).finally(() => connection.destroy())
      if (answer) return
    } catch {
      // Not yet: asked again until the attempts are used up.
    }
    await setTimeout(50)
  }
  throw new Error(`MariaDB does not accept connections:\n${readFileSync(join(folder, 'log'), 'utf8')}`)
}

/** A server that runs. */
export type MariaDbProcess = Readonly<{ child: ChildProcess; dismissGuard: () => void }>

/** Starts a server on the data in the folder; resolves when it is ready. It ends with this process at the latest. */
export const runMariaDb = async (
  server: string,
  folder: string,
  port: number,
  settings: readonly string[],
  isReady: (connection: Connection) => Promise<boolean> = async () => true,
): Promise<MariaDbProcess> => {
  const log = openSync(join(folder, 'log'), 'a')
  const child = spawn(server, serverArguments(folder, port, settings), {
    ...identity,
    stdio: ['ignore', log, log],
  })
  const dismissGuard = guard(child.pid ?? -1, folder)
  await ready(child, folder, port, isReady)
  return { child, dismissGuard }
}

/** Ends a server; resolves when it is gone. */
export const endMariaDb = async (
  { child, dismissGuard }: MariaDbProcess,
  signal: NodeJS.Signals,
): Promise<void> => {
  if (child.exitCode === null && child.signalCode === null) {
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }
  dismissGuard()
}
