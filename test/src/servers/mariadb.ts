import { rmSync } from 'node:fs'
import { freePort } from './free-port.js'
import { giveNewData } from './mariadb-data.js'
import {
  connectAsRoot,
  endMariaDb,
  initialise,
  makeServerFolder,
  mariaDbPrograms,
  runMariaDb,
} from './mariadb-process.js'

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
  /** With the same settings, unless others are given. */
  restart(settings?: readonly string[]): Promise<void>
  /** Ends the server and removes its folder. */
  stop(): Promise<void>
}>

/**
 * Whether MariaDB is installed. With REQUIRE_SERVERS=1 its absence is an error; without, AVA's configuration says
 * once for all test files what is left out.
 */
export const mariaDbAvailable = (): boolean => {
  if (mariaDbPrograms() !== undefined) return true
  if (process.env['REQUIRE_SERVERS'] === '1')
    throw new Error('MariaDB is not installed, and REQUIRE_SERVERS=1 asks for it')
  return false
}

const createDatabase = async (port: number, name: string): Promise<void> => {
  const connection = await connectAsRoot(port)
  await connection.query(`CREATE DATABASE ${name}`)
  await connection.end()
}

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
      databases += 1
      const name = `import_${databases}`
      await createDatabase(port, name)
      return url(name)
    },
    kill: () => endMariaDb(running, 'SIGKILL'),
    async restart(others = settings) {
      await endMariaDb(running, 'SIGTERM')
      running = await runMariaDb(found.server, folder, port, others)
    },
    async stop() {
      await endMariaDb(running, 'SIGTERM')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
