import { connectSql, migrate } from '@account-import/adapter-sql'
import { startMariaDb, type MariaDb } from '../servers/index.js'

/** A server whose `import` user may be kept from writing; it has nothing but the tables. */
export type SwitchableServer = Readonly<{
  server: MariaDb
  host: string
  /** As an operator or a cluster does it to a server that is not to be written to. */
  setReadOnly(on: boolean): Promise<void>
  /** Imports that were staged here. */
  imports(): Promise<number>
  /** Takes writes from now on, and has no imports. */
  reset(): Promise<void>
  /** Connections of the `import` user. */
  connections(): Promise<number>
  stop(): Promise<void>
}>

const database = 'import_1'

const numberOf = async (server: MariaDb, sql: string): Promise<number> =>
  Number((await server.query(sql, database))[0]?.['found'])

/** Starts a server with an empty database, or one that has the tables. */
export const startSwitchable = async (tables: 'with tables' | 'empty'): Promise<SwitchableServer> => {
  const server = await startMariaDb()
  const url = await server.createDatabase()
  await server.query(`CREATE USER import@'127.0.0.1' IDENTIFIED BY 'secret'`)
  await server.query(`GRANT ALL ON ${database}.* TO import@'127.0.0.1'`)
  if (tables === 'with tables') {
    const knex = connectSql(url)
    await migrate(knex)
    await knex.destroy()
  }
  return {
    server,
    host: `127.0.0.1:${server.port}`,
    setReadOnly: async (on) => {
      await server.query(`SET GLOBAL read_only = ${on ? 1 : 0}`)
    },
    reset: async () => {
      await server.query('SET GLOBAL read_only = 0')
      await server.query('DELETE FROM account_imports', database)
    },
    imports: () => numberOf(server, 'SELECT COUNT(*) AS found FROM account_imports'),
    connections: () =>
      numberOf(server, `SELECT COUNT(*) AS found FROM information_schema.processlist WHERE user = 'import'`),
    stop: () => server.stop(),
  }
}

/** The address of servers in this order. */
export const urlOf = (servers: readonly SwitchableServer[]): string =>
  `mysql://import:secret@${servers.map(({ host }) => host).join(',')}/${database}`
