import { connectSql, createSqlPorts, migrate } from '@account-import/adapter-sql'
import type { KeyRing, StorePorts } from '@account-import/core'
import { inMemoryStorePorts } from '@account-import/core/in-memory'
import test from 'ava'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { givenServer, mariaDbAvailable, startMariaDb, type DatabaseServer } from '../../servers/index.js'

/** Something that data can be kept in. Its tests share one database: each makes codes of its own. */
export type Backend = Readonly<{
  name: string
  /** Inside a test. */
  stores(): StorePorts
}>

type Opened = Readonly<{ stores: StorePorts; close(): Promise<void> }>

/** All tests of a file run at once on one pool; on a busy machine the last of them wait for long. */
const acquireTimeoutMilliseconds = 60_000

const openSql = async (
  url: string,
  closeServer: () => Promise<void>,
  keyRing: KeyRing | undefined,
): Promise<Opened> => {
  const knex = connectSql(url, { acquireTimeoutMilliseconds })
  await migrate(knex)
  return {
    stores: createSqlPorts(knex, { keyRing }),
    close: async () => {
      await knex.destroy()
      await closeServer()
    },
  }
}

const openSqlite = async (keyRing?: KeyRing): Promise<Opened> => {
  const folder = await mkdtemp(join(tmpdir(), 'account-import-journeys-'))
  return openSql(`sqlite:${join(folder, 'test.db')}`, () => rm(folder, { recursive: true }), keyRing)
}

const openOn = async (server: DatabaseServer, keyRing?: KeyRing): Promise<Opened> =>
  openSql(await server.createDatabase(), () => server.stop(), keyRing)

const openMemory = async (): Promise<Opened> => ({
  stores: inMemoryStorePorts(),
  close: async () => undefined,
})

const register = (name: string, open: () => Promise<Opened>): Backend => {
  let opened: Opened | undefined
  test.before(`open ${name}`, async () => {
    opened = await open()
  })
  test.after.always(`close ${name}`, async () => {
    await opened?.close()
  })
  return {
    name,
    stores: () => {
      if (opened === undefined) throw new Error(`${name} is not open`)
      return opened.stores
    },
  }
}

/** The server that was given is one of them. */
const onGiven = (): readonly Backend[] => {
  const server = givenServer()
  return server === undefined ? [] : [register('given server', () => openOn(server))]
}

/** A server for several backends, which ends with the last of them. */
const sharedMariaDb = (): (() => Promise<DatabaseServer>) => {
  let starting: Promise<DatabaseServer> | undefined
  let users = 0
  return async () => {
    users += 1
    const server = await (starting ??= startMariaDb())
    return {
      createDatabase: () => server.createDatabase(),
      stop: async () => {
        users -= 1
        if (users === 0) await server.stop()
      },
    }
  }
}

/**
 * Every backend that can be had here, each opened before the tests of the file. To be called once in a test file. With a key ring there
 * is a database more, on which what tells of a person is encrypted: the one with more ways to write, where it is installed.
 */
export const registerBackends = (keyRing?: KeyRing): readonly Backend[] => {
  const start = sharedMariaDb()
  const onMariaDb = mariaDbAvailable()
  const encrypted = onMariaDb
    ? () => register('MariaDB, encrypted', async () => openOn(await start(), keyRing))
    : () => register('SQLite, encrypted', () => openSqlite(keyRing))
  return [
    register('in memory', openMemory),
    register('SQLite', () => openSqlite()),
    ...(onMariaDb ? [register('MariaDB', async () => openOn(await start()))] : []),
    ...(keyRing === undefined ? [] : [encrypted()]),
    ...onGiven(),
  ]
}
