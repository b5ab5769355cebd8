import {
  connectSql,
  createSqlPorts,
  migrate,
  type ConnectOptions,
  type Retry,
  type SqlPortsOptions,
} from '@account-import/adapter-sql'
import type { StorePorts } from '@account-import/core'
import test, { type ExecutionContext } from 'ava'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { givenServer, mariaDbAvailable, startMariaDb, type MariaDb } from '../../servers/index.js'
import { migratedDatabases } from './migrated-databases.js'

type Knex = ReturnType<typeof connectSql>

/** One server process's view of a database: its own connections and its own stores. */
export type Opened = Readonly<{ knex: Knex; ports: StorePorts; retries: readonly Retry[] }>

export type TestDatabase = Readonly<{
  url: string
  /** Opens the database once more, as another server process would. Closed when the test ends. */
  open(options?: ConnectOptions & SqlPortsOptions): Opened
}>

const opener = (t: ExecutionContext, url: string): TestDatabase => ({
  url,
  open(options = {}) {
    const retries: Retry[] = []
    const knex = connectSql(url, options)
    t.teardown(() => knex.destroy())
    return {
      knex,
      retries,
      ports: createSqlPorts(knex, { onRetry: (retry) => retries.push(retry), ...options }),
    }
  },
})

const sqliteUrl = (t: ExecutionContext): string => {
  const folder = mkdtempSync(join(tmpdir(), 'account-import-sqlite-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return `sqlite:${join(folder, 'test.db')}`
}

type Body = (t: ExecutionContext, database: TestDatabase) => Promise<void>

/**
 * Registers tests that run on a fresh database each. The MariaDB server is the test file's own; beside it there may be a
 * server that was given, for what holds on any MySQL.
 */
export type Databases = Readonly<{
  onSqlite(title: string, body: Body): void
  onMariaDb(title: string, body: Body): void
  /** On MariaDB, and on the server that was given. */
  onServers(title: string, body: Body): void
  onEach(title: string, body: Body): void
  /** The server, inside a test of `onMariaDb`. */
  mariaDb(): MariaDb
}>

/** SQLite, which is migrated in a tenth of the time that a server takes. */
const onNewFile = async (t: ExecutionContext, body: Body): Promise<void> => {
  const database = opener(t, sqliteUrl(t))
  await migrate(database.open().knex)
  await body(t, database)
}

/** To be called once in a test file. */
export const testDatabases = (): Databases => {
  const available = mariaDbAvailable()
  let server: MariaDb | undefined
  if (available) {
    test.before('start MariaDB', async () => {
      server = await startMariaDb()
    })
    test.after.always('stop MariaDB', async () => {
      await server?.stop()
    })
  }
  const given = givenServer()
  if (given !== undefined) test.after.always('remove databases of the given server', () => given.stop())
  const onGivenServer = given === undefined ? undefined : migratedDatabases(given)
  const mariaDb = (): MariaDb => {
    if (server === undefined) throw new Error('MariaDB was not started')
    return server
  }
  const onMariaDbServer = migratedDatabases({ createDatabase: () => mariaDb().createDatabase() })
  const onSqlite: Databases['onSqlite'] = (title, body) =>
    test(`${title} (SQLite)`, (t) => onNewFile(t, body))
  const onMariaDb: Databases['onMariaDb'] = (title, body) => {
    if (available) test(`${title} (MariaDB)`, async (t) => body(t, opener(t, await onMariaDbServer())))
  }
  const onServers: Databases['onServers'] = (title, body) => {
    onMariaDb(title, body)
    if (onGivenServer !== undefined)
      test(`${title} (given server)`, async (t) => body(t, opener(t, await onGivenServer())))
  }
  return {
    mariaDb,
    onSqlite,
    onMariaDb,
    onServers,
    onEach: (title, body) => {
      onSqlite(title, body)
      onServers(title, body)
    },
  }
}
