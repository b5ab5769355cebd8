import { fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startMariaDb, type MariaDb } from '@account-import/test/servers'
import { stopChild } from './children/children.js'
import { jobRunner } from './load/jobs.js'
import { countBrokenOff, makeSubject, type Subject } from './measure/subject.js'
import type { Options } from './options.js'
import { startFloor, startOurs, startPeer, type System, type Target } from './servers.js'

/** Opened resources, closed in reverse order: each once, also when closing one fails. */
const closers = () => {
  const all: (() => Promise<unknown>)[] = []
  return {
    add: <A>(resource: A, close: (resource: A) => Promise<unknown>): A => {
      all.unshift(() => close(resource))
      return resource
    },
    close: async (): Promise<void> => {
      const failures: unknown[] = []
      for (const each of all.splice(0)) await each().catch((cause: unknown) => failures.push(cause))
      if (failures.length > 0) throw failures[0]
    },
  }
}

/** Gives the work what it opens things by, and closes them whatever comes of it. */
const closing = async <A>(work: (opened: ReturnType<typeof closers>) => Promise<A>): Promise<A> => {
  const opened = closers()
  try {
    return await work(opened)
  } finally {
    await opened.close()
  }
}

/** Pages and log are large enough that writing them back does not decide a round of some seconds. */
const mariaDbSettings = ['--innodb-buffer-pool-size=1G', '--innodb-log-file-size=1G', '--max-connections=600']

const dropIn =
  ({ query }: MariaDb) =>
  (url: string) =>
    query(`DROP DATABASE ${new URL(url).pathname.slice(1)}`)

const start = async (
  target: Target,
  folder: string,
  databaseUrl: string,
  { server, profileFolder }: Options,
): Promise<System> => {
  if (target === 'floor') return startFloor(databaseUrl)
  if (target === 'fastify') return startPeer(databaseUrl)
  return target === 'base'
    ? startOurs({ main: server, folder, databaseUrl })
    : startOurs({ folder, databaseUrl, profileFolder })
}

/** Has the targets measured together, each on an empty database of its own. */
export type Measure = <A>(work: (subjects: readonly Subject[]) => Promise<A>) => Promise<A>

/** Starts the load generator and, unless SQLite is measured, a private and durable database. */
export const withBench = <A>(options: Options, work: (measure: Measure) => Promise<A>): Promise<A> =>
  closing(async (opened) => {
    const mariaDb =
      options.database === 'sqlite'
        ? undefined
        : opened.add(await startMariaDb(mariaDbSettings), (server) => server.stop())
    const database = mariaDb && {
      pid: mariaDb.pid,
      brokenOff: await countBrokenOff(mariaDb),
    }
    const generator = opened.add(fork(new URL('./load/main.js', import.meta.url)), stopChild)
    const load = jobRunner(generator)
    return work(async (measured) => {
      // An interruption leaves the work behind: what is open then is closed with all else.
      const systems = opened.add(closers(), (all) => all.close())
      try {
        const subjects: Subject[] = []
        for (const target of options.targets) {
          const folder = await mkdtemp(join(tmpdir(), 'account-import-bench-'))
          systems.add(folder, (path) => rm(path, { recursive: true, force: true }))
          const url = mariaDb ? systems.add(await mariaDb.createDatabase(), dropIn(mariaDb)) : ''
          const system = systems.add(await start(target, folder, url, options), (each) => each.stop())
          subjects.push(makeSubject(system, load, database))
        }
        return await measured(subjects)
      } finally {
        await systems.close()
      }
    })
  })
