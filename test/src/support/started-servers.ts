import test from 'ava'
import {
  type DatabaseServer,
  type MariaDb,
  mariaDbAvailable,
  postgresqlAvailable,
  startMariaDb,
  startPostgresql,
} from '../servers/index.js'

const kinds = {
  MariaDB: { isThere: mariaDbAvailable, start: () => startMariaDb() },
  PostgreSQL: { isThere: postgresqlAvailable, start: () => startPostgresql() },
} as const

export type ServerName = keyof typeof kinds

type StartedServer = DatabaseServer &
  Pick<MariaDb, 'kill' | 'restart'> &
  Readonly<{ query(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> }>

/** The database servers whose programs are there, each started once for the tests of a file. */
export const startedServers = () => {
  const names = (Object.keys(kinds) as ServerName[]).filter((name) => kinds[name].isThere())
  const running = new Map<ServerName, StartedServer>()
  test.before('start the servers', async () => {
    for (const name of names) running.set(name, await kinds[name].start())
  })
  test.after.always('stop the servers', async () => {
    for (const server of running.values()) await server.stop()
  })
  const server = (name: ServerName): StartedServer => {
    const found = running.get(name)
    if (found === undefined) throw new Error(`${name} was not started`)
    return found
  }
  return { names, server }
}

export type StartedServers = ReturnType<typeof startedServers>
