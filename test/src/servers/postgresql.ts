import { spawn } from 'node:child_process'
import { existsSync, openSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from './free-port.js'
import { type DatabaseServer, identity, makeServerFolder } from './mariadb.js'
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

type Programs = Readonly<{ server: string; install: string }>

/** Debian keeps the programs of each version in a folder of its own. */
const debianFolder = '/usr/lib/postgresql'

/** The programs in the folder `POSTGRESQL_BIN`, or else of the latest version; undefined if PostgreSQL is not installed. */
const postgresqlPrograms = (): Programs | undefined => {
  const given = process.env['POSTGRESQL_BIN']
  if (given !== undefined) return { server: join(given, 'postgres'), install: join(given, 'initdb') }
  const versions = existsSync(debianFolder) ? readdirSync(debianFolder).map(Number) : []
  const folders = versions
    .sort((one, other) => other - one)
    .map((each) => join(debianFolder, `${each}`, 'bin'))
  const folder = folders.find((each) => existsSync(join(each, 'postgres')))
  if (folder !== undefined) return { server: join(folder, 'postgres'), install: join(folder, 'initdb') }
  const [server, install] = [findExecutable('postgres'), findExecutable('initdb')]
  return server === undefined || install === undefined ? undefined : { server, install }
}

export const postgresqlAvailable = (): boolean =>
  testsServers && isAvailable(postgresqlPrograms() !== undefined, 'PostgreSQL is not installed')

/** Makes the data of a new server, in `data` of the folder. */
const initialise = (install: string, folder: string): Promise<void> =>
  runCommand(
    install,
    [
      `--pgdata=${folder}/data`,
      '--username=postgres',
      '--auth=trust',
      '--encoding=UTF8',
      '--locale=C.UTF-8',
      '--no-sync',
    ],
    { ...identity, cwd: folder },
  )

/**
 * Creates the data in `TEST_POSTGRESQL_DATA`, at a path that does not exist yet on the file system of temporary folders; nothing
 * without PostgreSQL.
 */
export const makePostgresqlTemplate = async (path: string): Promise<void> => {
  const programs = postgresqlPrograms()
  if (programs === undefined) return
  const folder = makeServerFolder()
  try {
    await initialise(programs.install, folder)
    renameSync(join(folder, 'data'), path)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Gives the folder of a server the data of a new one: a copy of `TEST_POSTGRESQL_DATA`, or its own if that is unset. */
const giveNewData = async (install: string, folder: string): Promise<void> => {
  const template = process.env['TEST_POSTGRESQL_DATA']
  if (template === undefined || !existsSync(template)) return initialise(install, folder)
  await runCommand('cp', ['-a', template, join(folder, 'data')])
}

type Row = Readonly<Record<string, unknown>>

const queryAsAdministrator = async (
  port: number,
  sql: string,
  database = 'postgres',
): Promise<readonly Row[]> => {
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', database, ssl: false })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}

const run = async (
  server: string,
  folder: string,
  port: number,
  settings: readonly string[],
): Promise<ServerChild> => {
  const log = openSync(join(folder, 'log'), 'a')
  const all = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    `unix_socket_directories=${folder}`,
    'max_connections=300',
    ...settings,
  ]
  const child = spawn(server, ['-D', `${folder}/data`, ...all.flatMap((each) => ['-c', each])], {
    ...identity,
    cwd: folder,
    stdio: ['ignore', log, log],
  })
  const running = guarded(child, folder)
  for (let attempt = 0; attempt < 600 && !hasEnded(child); attempt += 1) {
    try {
      await queryAsAdministrator(port, 'SELECT 1')
      return running
    } catch {
      // Not yet: tried again until the attempts are used up.
    }
    await setTimeout(50)
  }
  throw new Error(`PostgreSQL does not accept connections:\n${readFileSync(join(folder, 'log'), 'utf8')}`)
}

/** The processes of the server's connections, which would hold its memory for a while after it was killed. */
const processesOf = (pid: number): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)

const killed = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}

/** A PostgreSQL of our own, in a temporary folder, on a port of the loopback address; durable as by default. */
export type Postgresql = DatabaseServer &
  Readonly<{
    /** The address of one of its databases. */
    url(database: string): string
    /** Makes a database of a new name, empty or a copy of another; gives its address. */
    createDatabase(pattern?: string): Promise<string>
    /** Sends a query as the user with all rights. */
    query(sql: string, database?: string): Promise<readonly Row[]>
    port: number
    /** Kills the server without warning. Its data stays; `restart` starts it again on the same port. */
    kill(): Promise<void>
    /** With the same settings, unless others are given. */
    restart(settings?: readonly string[]): Promise<void>
  }>

/** Starts a server on the data in the folder. */
const serve = async (found: Programs, folder: string, settings: readonly string[]): Promise<Postgresql> => {
  const port = await freePort()
  const url = (database: string): string => `postgres://postgres@127.0.0.1:${port}/${database}`
  let running = await run(found.server, folder, port, settings)
  let databases = 0
  const kill = async (): Promise<void> => {
    const others = hasEnded(running.child) ? [] : processesOf(running.child.pid ?? -1)
    await endServer(running, 'SIGKILL')
    for (const pid of others) killed(pid)
  }
  return {
    url,
    port,
    async createDatabase(pattern: string = 'template1') {
      const name = `import_${(databases += 1)}`
      await queryAsAdministrator(port, `CREATE DATABASE ${name} TEMPLATE ${pattern}`)
      return url(name)
    },
    query: (sql, database) => queryAsAdministrator(port, sql, database),
    kill,
    async restart(others = settings) {
      await endServer(running, 'SIGINT')
      running = await run(found.server, folder, port, others)
    },
    async stop() {
      await endServer(running, 'SIGINT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const installed = (): Programs => {
  const found = postgresqlPrograms()
  if (found === undefined) throw new Error('PostgreSQL is not installed')
  return found
}

/** Starts a server with settings such as `fsync=off`, in a folder of `parent`. It ends with this process at the latest. */
export const startPostgresql = async (
  settings: readonly string[] = [],
  parent?: string,
): Promise<Postgresql> => {
  const found = installed()
  const folder = makeServerFolder(parent)
  await giveNewData(found.install, folder)
  return serve(found, folder, settings)
}

/** Starts a standby of a server, which follows its log until it is promoted by PG_PROMOTE. */
export const startStandby = async (primary: Postgresql): Promise<Postgresql> => {
  const found = installed()
  const folder = makeServerFolder()
  const copying = ['--checkpoint=fast', '--no-sync', '--write-recovery-conf', `--pgdata=${folder}/data`]
  await runCommand(
    join(dirname(found.server), 'pg_basebackup'),
    ['--host=127.0.0.1', `--port=${primary.port}`, '--username=postgres', ...copying],
    { ...identity, cwd: folder },
  )
  return serve(found, folder, [])
}
