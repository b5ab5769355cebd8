import { connectSql, createSqlPorts, migrate } from '@account-import/adapter-sql'
import type { KeyRing, StorePorts } from '@account-import/core'
import { inMemoryStorePorts } from '@account-import/core/in-memory'
import test from 'ava'
import {
  givenServer,
  mariaDbAvailable,
  postgresqlAvailable,
  startMariaDb,
  startPostgresql,
  testsWithoutServers,
  type DatabaseServer,
} from '../../servers/index.js'
import { newSqlite } from '../../support/on-backend.js'

/** A backend for data. Its tests share one database: each has codes of its own. */
export type Backend = Readonly<{
  name: string
  /** Inside a test. */
  stores(): StorePorts
}>

type Opened = Readonly<{ stores: StorePorts; close(): Promise<void> }>

/** All tests of a file run at once on one pool; on a busy machine the last of them wait for long. */
const acquireTimeoutMilliseconds = 60_000

const openSql = async (url: string, keyRing?: KeyRing, remove?: () => Promise<void>): Promise<Opened> => {
  const knex = connectSql(url, { acquireTimeoutMilliseconds })
  await migrate(knex)
  return {
    stores: createSqlPorts(knex, { keyRing }),
    close: async () => {
      await knex.destroy()
      await remove?.()
    },
  }
}

const openSqlite = async (keyRing?: KeyRing): Promise<Opened> => {
  const { url, remove } = await newSqlite()
  return openSql(url, keyRing, remove)
}

const openMemory = async (): Promise<Opened> => ({
  stores: inMemoryStorePorts(),
  close: async () => undefined,
})

/**
 * Every available backend, each opened before the tests of the file; called once in a test file. With a key ring there is one
 * more database with encrypted personal data: MariaDB if it is installed. A server from the environment is one of the backends.
 */
export const registerBackends = (keyRing?: KeyRing): readonly Backend[] => {
  let started: Promise<DatabaseServer> | undefined
  const onMariaDb = async (ring?: KeyRing): Promise<Opened> =>
    openSql(await (await (started ??= startMariaDb())).createDatabase(), ring)
  let startedPostgresql: Promise<DatabaseServer> | undefined
  const onPostgresql = async (): Promise<Opened> =>
    openSql(await (await (startedPostgresql ??= startPostgresql())).createDatabase())
  const isThere = mariaDbAvailable()
  const isPostgresqlThere = postgresqlAvailable()
  const given = givenServer()
  const opening: Readonly<Record<string, () => Promise<Opened>>> = {
    ...(testsWithoutServers && { 'in memory': openMemory, SQLite: () => openSqlite() }),
    ...(isThere && { MariaDB: () => onMariaDb() }),
    ...(isPostgresqlThere && { PostgreSQL: onPostgresql }),
    ...(keyRing !== undefined && isThere && { 'MariaDB, encrypted': () => onMariaDb(keyRing) }),
    ...(keyRing !== undefined && !isThere && { 'SQLite, encrypted': () => openSqlite(keyRing) }),
    ...(given !== undefined && { 'given server': async () => openSql(await given.createDatabase()) }),
  }
  const opened = new Map<string, Opened>()
  test.before('open all backends', async () => {
    const open = Object.entries(opening).map(async ([name, one]) => opened.set(name, await one()))
    await Promise.all(open)
  })
  test.after.always('close all backends', async () => {
    await Promise.all([...opened.values()].map(({ close }) => close()))
    await Promise.all([(await started)?.stop(), (await startedPostgresql)?.stop(), given?.stop()])
  })
  return Object.keys(opening).map((name) => ({
    name,
    stores: () => {
      const one = opened.get(name)
      if (one === undefined) throw new Error(`${name} is not open`)
      return one.stores
    },
  }))
}
