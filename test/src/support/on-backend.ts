import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  mariaDbAvailable,
  postgresqlAvailable,
  startMariaDb,
  startPostgresql,
  type DatabaseServer,
} from '../servers/index.js'

export const databaseBackends = ['mariadb', 'postgresql', 'sqlite'] as const
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

const onServer = async <A>(
  starting: Promise<DatabaseServer>,
  work: (url: string) => Promise<A>,
): Promise<A> => {
  const server = await starting
  try {
    return await work(await server.createDatabase())
  } finally {
    await server.stop()
  }
}

/** Runs the work on an empty database, which is removed afterwards. */
export const onBackend: Readonly<
  Record<DatabaseBackend, <A>(work: (url: string) => Promise<A>) => Promise<A>>
> = {
  mariadb: (work) => onServer(startMariaDb(), work),
  postgresql: (work) => onServer(startPostgresql(), work),
  sqlite: onSqlite,
}

/** The backends whose programs are there. */
export const availableBackends = (): readonly DatabaseBackend[] => {
  const isThere = { mariadb: mariaDbAvailable, postgresql: postgresqlAvailable, sqlite: () => true }
  return databaseBackends.filter((backend) => isThere[backend]())
}
