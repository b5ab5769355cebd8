import {
  connectSql,
  createSqlPorts,
  migrate,
  type ConnectOptions,
  type OnRetry,
  type SqlPortsOptions,
} from '@account-import/adapter-sql'
import type { StorePorts } from '@account-import/core'
import test, { type ExecutionContext } from 'ava'
import { mkdtempSync, rmSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  givenServer,
  mariaDbAvailable,
  postgresqlAvailable,
  startMariaDb,
  startPostgresql,
  testsWithoutServers,
  type MariaDb,
  type Postgresql,
} from '../../servers/index.js'
import { migratedDatabases } from './migrated-databases.js'
import { clonedDatabases } from './cloned-databases.js'

type Knex = ReturnType<typeof connectSql>

/** One server process's view of a database: its own connections and its own stores. */
export type Opened = Readonly<{ knex: Knex; ports: StorePorts; retries: readonly Parameters<OnRetry>[0][] }>

export type TestDatabase = Readonly<{
  url: string
  /** Opens the database once more, as another server process would. Closed when the test ends. */
  open(options?: ConnectOptions & SqlPortsOptions): Opened
}>

/** Whether the database is one of PostgreSQL. */
export const isPostgresql = ({ client }: Knex): boolean => client.dialect === 'postgresql'

type Sent = Readonly<{ sql: string }>

const opener = (
  t: ExecutionContext,
  url: string,
  onQuery: (sent: Sent) => void = () => {},
): TestDatabase => ({
  url,
  open(options = {}) {
    const retries: Parameters<OnRetry>[0][] = []
    const knex = connectSql(url, options)
    knex.on('query', onQuery)
    t.teardown(() => knex.destroy())
    return {
      knex,
      retries,
      ports: createSqlPorts(knex, { onRetry: (retry) => retries.push(retry), ...options }),
    }
  },
})

type Body = (t: ExecutionContext, database: TestDatabase) => Promise<void>

/**
 * Registers tests that each have a freshly migrated database. The MariaDB server is the test file's own; a server from the
 * environment is a second one, for tests of any MySQL.
 */
export type Databases = Readonly<{
  onSqlite(title: string, body: Body): void
  onMariaDb(title: string, body: Body): void
  onPostgresql(title: string, body: Body): void
  /** On MariaDB, on the server that was given, and on PostgreSQL. */
  onServers(title: string, body: Body): void
  /** As `onServers`, for tests with SQL or settings of MySQL. */
  onMysqlServers(title: string, body: Body): void
  onEach(title: string, body: Body): void
  /** The server, inside a test of `onMariaDb`. */
  mariaDb(): MariaDb
  /** The server, inside a test of `onPostgresql`. */
  postgresql(): Postgresql
}>

const fileIn = (folder: string, name: string): string => join(folder, `${name}.db`)

/** Lends SQLite files to tests, all freshly migrated: copies of one, in a folder that is removed with the tests. */
const migratedFiles = () => {
  const folder = mkdtempSync(join(tmpdir(), 'account-import-sqlite-'))
  test.after.always('remove files of SQLite', () => rmSync(folder, { recursive: true, force: true }))
  const makePattern = async (): Promise<string> => {
    const file = fileIn(folder, 'pattern')
    const knex = connectSql(`sqlite:${file}`)
    await migrate(knex)
    await knex.raw('PRAGMA wal_checkpoint(TRUNCATE)')
    await knex.destroy()
    return file
  }
  let pattern: Promise<string> | undefined
  let count = 0
  return async (): Promise<string> => {
    const file = fileIn(folder, `test-${(count += 1)}`)
    await copyFile(await (pattern ??= makePattern()), file)
    return `sqlite:${file}`
  }
}

/** Statements that change tables or their statistics, so that the database is not reused. */
const spoils = /^\s*(?:alter|analyze|create|drop|flush|rename|truncate)\b/i

type Migrated = ReturnType<typeof migratedDatabases>

const onMigrated = async (t: ExecutionContext, { take }: Migrated, body: Body): Promise<void> => {
  const { url, giveBack } = await take()
  let isSpoiled = false
  // The last thing to be torn down: nothing is connected any more.
  t.teardown(() => giveBack(isSpoiled))
  const look = ({ sql }: Sent): void => void (isSpoiled ||= spoils.test(sql))
  await body(t, opener(t, url, look))
}

/** The system writes to the disk later: these tests do not stop the machine. */
const settings = ['--innodb-flush-log-at-trx-commit=2']

/** To be called once in a test file. */
export const testDatabases = (): Databases => {
  const available = mariaDbAvailable()
  let server: MariaDb | undefined
  if (available) {
    test.before('start MariaDB', async () => {
      server = await startMariaDb(settings)
    })
    test.after.always('stop MariaDB', async () => {
      await onMariaDbServer.close()
      await server?.stop()
    })
  }
  let postgresqlServer: Postgresql | undefined
  const isPostgresqlThere = postgresqlAvailable()
  if (isPostgresqlThere) {
    test.before('start PostgreSQL', async () => {
      postgresqlServer = await startPostgresql(['synchronous_commit=off'])
    })
    test.after.always('stop PostgreSQL', () => postgresqlServer?.stop())
  }
  const postgresql = (): Postgresql => {
    if (postgresqlServer === undefined) throw new Error('PostgreSQL was not started')
    return postgresqlServer
  }
  const newOnPostgresql = clonedDatabases(postgresql)
  const given = givenServer()
  const onGivenServer = given === undefined ? undefined : migratedDatabases(given)
  if (given !== undefined)
    test.after.always('remove databases of the given server', async () => {
      await onGivenServer?.close()
      await given.stop()
    })
  const mariaDb = (): MariaDb => {
    if (server === undefined) throw new Error('MariaDB was not started')
    return server
  }
  const onMariaDbServer = migratedDatabases({ createDatabase: () => mariaDb().createDatabase() })
  const onFile = migratedFiles()
  const onSqlite: Databases['onSqlite'] = (title, body) => {
    if (testsWithoutServers) test(`${title} (SQLite)`, async (t) => body(t, opener(t, await onFile())))
  }
  const onMariaDb: Databases['onMariaDb'] = (title, body) => {
    if (available) test(`${title} (MariaDB)`, (t) => onMigrated(t, onMariaDbServer, body))
  }
  const onPostgresql: Databases['onPostgresql'] = (title, body) => {
    if (isPostgresqlThere)
      test(`${title} (PostgreSQL)`, async (t) => body(t, opener(t, await newOnPostgresql())))
  }
  const onMysqlServers: Databases['onMysqlServers'] = (title, body) => {
    onMariaDb(title, body)
    if (onGivenServer !== undefined)
      test(`${title} (given server)`, (t) => onMigrated(t, onGivenServer, body))
  }
  const onServers: Databases['onServers'] = (title, body) => {
    onMysqlServers(title, body)
    onPostgresql(title, body)
  }
  return {
    mariaDb,
    postgresql,
    onSqlite,
    onMariaDb,
    onPostgresql,
    onMysqlServers,
    onServers,
    onEach: (title, body) => {
      onSqlite(title, body)
      onServers(title, body)
    },
  }
}
