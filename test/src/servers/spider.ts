import { existsSync } from 'node:fs'
import { mariaDbPrograms, startMariaDb, type MariaDb } from './mariadb.js'
import { isAvailable, testsServers } from './processes.js'

/** Whether Spider's library is in a folder of distributions. */
const isInstalled = (): boolean =>
  ['/usr/lib/mysql/plugin', '/usr/lib64/mysql/plugin', '/usr/lib64/mariadb/plugin'].some((folder) =>
    existsSync(`${folder}/ha_spider.so`),
  )

export const spiderAvailable = (): boolean =>
  testsServers && isAvailable(mariaDbPrograms() !== undefined && isInstalled(), 'Spider is not installed')

const small = ['--innodb-buffer-pool-size=32M', '--innodb-log-file-size=32M']

const headSettings = [...small, '--plugin-load-add=ha_spider']

const nodeSettings = [...small, '--max-allowed-packet=64M', '--innodb-lock-wait-timeout=1']

/** MariaDB's Spider: clients connect to the head, which has the rows of some tables on data nodes. */
export type Spider = Readonly<{
  head: MariaDb
  /** The head names them `node1` and so on. */
  nodes: readonly MariaDb[]
  /** Makes an empty database of a new name on all servers; gives the name. */
  createDatabase(): Promise<string>
  stop(): Promise<void>
}>

/** Starts a head, with settings of its command line, and data nodes. They end with this process at the latest. */
export const startSpider = async (settings: readonly string[], count = 3): Promise<Spider> => {
  const head = await startMariaDb([...headSettings, ...settings])
  const nodes: MariaDb[] = []
  const stop = async (): Promise<void> => {
    await Promise.all([head, ...nodes].map((server) => server.stop()))
  }
  try {
    for (let place = 1; place <= count; place += 1) {
      const node = await startMariaDb(nodeSettings)
      nodes.push(node)
      const options = `HOST '127.0.0.1', PORT ${node.port}, USER 'root', PASSWORD ''`
      await head.query(`CREATE SERVER node${place} FOREIGN DATA WRAPPER mysql OPTIONS (${options})`)
    }
  } catch (cause) {
    await stop()
    throw cause
  }
  let databases = 0
  return {
    head,
    nodes,
    stop,
    async createDatabase() {
      const name = `sharded_${(databases += 1)}`
      for (const server of [head, ...nodes]) await server.query(`CREATE DATABASE ${name}`)
      return name
    },
  }
}
