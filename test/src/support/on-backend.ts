import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startMariaDb } from '../servers/index.js'

export const databaseBackends = ['mariadb', 'sqlite'] as const
export type DatabaseBackend = (typeof databaseBackends)[number]

const onSqlite = async <A>(work: (url: string) => Promise<A>): Promise<A> => {
  const folder = await mkdtemp(join(tmpdir(), 'account-import-run-'))
  try {
    return await work(`sqlite:${join(folder, 'test.db')}`)
  } finally {
    await rm(folder, { recursive: true })
  }
}

const onMariaDb = async <A>(work: (url: string) => Promise<A>): Promise<A> => {
  const server = await startMariaDb()
  try {
    return await work(await server.createDatabase())
  } finally {
    await server.stop()
  }
}

/** Runs the work on an empty database, which is gone afterwards. */
export const onBackend: Readonly<
  Record<DatabaseBackend, <A>(work: (url: string) => Promise<A>) => Promise<A>>
> = { mariadb: onMariaDb, sqlite: onSqlite }
