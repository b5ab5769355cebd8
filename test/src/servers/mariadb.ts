import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { RowDataPacket } from 'mysql2'
import { createConnection, type Connection } from 'mysql2/promise'
import { freePort } from './free-port.js'
import {
  endServer,
  findExecutable,
  guarded,
  hasEnded,
  isAvailable,
  runCommand,
  type ServerChild,
  testsServers,
} from './processes.js'

/** An unprivileged user: the server refuses to run as root. */
const nobody = 65534
const asRoot = process.getuid?.() === 0
/** Whom servers run as. */
export const identity = asRoot ? { uid: nobody, gid: nobody } : {}

/** The programs of MariaDB; undefined if it is not installed. */
export const mariaDbPrograms = (): Readonly<{ server: string; install: string }> | undefined => {
  const server = findExecutable('mariadbd')
  const install = findExecutable('mariadb-install-db')
  return server === undefined || install === undefined ? undefined : { server, install }
}

export const mariaDbAvailable = (): boolean =>
  testsServers && isAvailable(mariaDbPrograms() !== undefined, 'MariaDB is not installed')

/** A folder for servers. */
export const makeServerFolder = (parent = tmpdir()): string => {
  const folder = mkdtempSync(join(parent, 'account-import-server-'))
  chmodSync(folder, 0o755)
  if (asRoot) chownSync(folder, nobody, nobody)
  return folder
}

/** Makes the data of a new server, in `data` of the folder. */
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

/**
 * Creates the data in `TEST_MARIADB_DATA`, at a path that does not exist yet on the file system of temporary folders; nothing
 * without MariaDB.
 */
export const makeMariaDbTemplate = async (path: string): Promise<void> => {
  const programs = mariaDbPrograms()
  if (programs === undefined) return
  const folder = makeServerFolder()
  try {
    await initialise(programs.install, folder)
    renameSync(join(folder, 'data'), path)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Gives the folder of a server the data of a new one, in `data`: a copy of `TEST_MARIADB_DATA`, which a run of the tests creates
 * once; if unset, each creates its own.
 */
export const giveNewData = async (install: string, folder: string): Promise<void> => {
  const template = process.env['TEST_MARIADB_DATA']
  if (template === undefined || !existsSync(template)) return initialise(install, folder)
  await runCommand('cp', ['-a', template, join(folder, 'data')])
}

/** The arguments that every server is started with. */
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

/** Works on a connection as the user with all rights. */
export const asAdministrator = async <A>(
  port: number,
  work: (connection: Connection) => Promise<A>,
  database = '',
): Promise<A> => {
  const connection = await createConnection({ host: '127.0.0.1', port, user: 'root', password: '', database })
  try {
    return await work(connection)
  } finally {
    connection.destroy()
  }
}

export const queryAsAdministrator = (
  port: number,
  sql: string,
  database?: string,
): Promise<readonly RowDataPacket[]> =>
  asAdministrator(port, async (connection) => (await connection.query<RowDataPacket[]>(sql))[0], database)

/** Starts a server on the data in the folder; resolves when it is ready. It ends with this process at the latest. */
export const runMariaDb = async (
  server: string,
  folder: string,
  port: number,
  settings: readonly string[],
  isReady: (connection: Connection) => Promise<boolean> = async () => true,
): Promise<ServerChild> => {
  const log = openSync(join(folder, 'log'), 'a')
  const child = spawn(server, serverArguments(folder, port, settings), {
    ...identity,
    stdio: ['ignore', log, log],
  })
  const running = guarded(child, folder)
  for (let attempt = 0; attempt < 600 && !hasEnded(child); attempt += 1) {
    try {
      if (await asAdministrator(port, isReady)) return running
    } catch {
      // Not yet: tried again until the attempts are used up.
    }
    await setTimeout(50)
  }
  throw new Error(`MariaDB does not accept connections:\n${readFileSync(join(folder, 'log'), 'utf8')}`)
}

/** A MariaDB of our own, in a temporary folder, on a port of the loopback address; durable as by default. */
export type MariaDb = Readonly<{
  /** The address of one of its databases. */
  url(database: string): string
  /** Makes an empty database of a new name; gives its address. */
  createDatabase(): Promise<string>
  /** Sends a query as the user with all rights; in no database by default. */
  query(sql: string, database?: string): Promise<readonly RowDataPacket[]>
  /** The process id of the server; another one after a restart. */
  pid: number
  port: number
  /** Kills the server without warning. Its data stays; `restart` starts it again on the same port. */
  kill(): Promise<void>
  /** With the same settings, unless others are given. */
  restart(settings?: readonly string[]): Promise<void>
  /** Ends the server and removes its folder. */
  stop(): Promise<void>
}>

/** Starts a server with settings of its command line, in a folder within `parent`. It ends with this process at the latest. */
export const startMariaDb = async (settings: readonly string[] = [], parent?: string): Promise<MariaDb> => {
  const found = mariaDbPrograms()
  if (found === undefined) throw new Error('MariaDB is not installed')
  const folder = makeServerFolder(parent)
  // On a disk of the caller's own every block is taken at once, as by a server that is installed there.
  await (parent === undefined ? giveNewData : initialise)(found.install, folder)
  const port = await freePort()
  const url = (database: string): string => `mysql://root@127.0.0.1:${port}/${database}`
  let running = await runMariaDb(found.server, folder, port, settings)
  let databases = 0
  return {
    url,
    port,
    get pid() {
      return running.child.pid ?? -1
    },
    async createDatabase() {
      const name = `import_${(databases += 1)}`
      await queryAsAdministrator(port, `CREATE DATABASE ${name}`)
      return url(name)
    },
    query: (sql, database) => queryAsAdministrator(port, sql, database),
    kill: () => endServer(running, 'SIGKILL'),
    async restart(others = settings) {
      await endServer(running, 'SIGTERM')
      running = await runMariaDb(found.server, folder, port, others)
    },
    async stop() {
      await endServer(running, 'SIGTERM')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A server on which tests make databases of their own. */
export type DatabaseServer = Pick<MariaDb, 'createDatabase' | 'stop'>

/**
 * The server in `TEST_MYSQL_URL=mysql://user:password@host:port`, for tests of any MySQL; undefined if it is not set. Its user
 * has to be allowed to create databases, which `stop` removes.
 */
export const givenServer = (): DatabaseServer | undefined => {
  const url = process.env['TEST_MYSQL_URL']?.replace(/\/$/, '')
  if (url === undefined || url === '') return undefined
  const made: string[] = []
  const run = async (sql: string): Promise<void> => {
    const connection = await createConnection({ uri: url })
    try {
      await connection.query(sql)
    } finally {
      await connection.end()
    }
  }
  return {
    createDatabase: async () => {
      const name = `account_import_test_${randomUUID().slice(0, 8)}`
      await run(`CREATE DATABASE ${name}`)
      made.push(name)
      return `${url}/${name}`
    },
    stop: async () => {
      for (const name of made.splice(0)) await run(`DROP DATABASE ${name}`)
    },
  }
}
