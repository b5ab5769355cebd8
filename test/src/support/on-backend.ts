import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startMariaDb } from '../servers/index.js'

export const databaseBackends = ['mariadb', 'sqlite'] as const
export type DatabaseBackend = (typeof databaseBackends)[number]

/** The address of a SQLite database that does not exist yet, in a folder of its own. */
export const newSqlite = async (): Promise<Readonly<{ url: string; remove(): Promise<void> }>> => {
  const folder = await mkdtemp(join(tmpdir(), 'account-import-run-'))
  return { url: `sqlite:${join(folder, 'test.db')}`, remove: () => rm(folder, { recursive: true }) }
}

const onSqlite = async <A>(work: (url: string) => Promise<A>): Promise<A> => {
  const { url, remove } = await newSqlite()
  try {
    return await work(url)
  } finally {
    await remove()
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

/** Runs the work on an empty database, which is removed afterwards. */
export const onBackend: Readonly<
  Record<DatabaseBackend, <A>(work: (url: string) => Promise<A>) => Promise<A>>
> = { mariadb: onMariaDb, sqlite: onSqlite }
