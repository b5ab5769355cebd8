import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startMariaDb } from '@account-import/test/servers'
import { closers } from './closers.js'
import { startLoad } from './load/start-load.js'
import { openDatabaseCounters } from './measure/database-counters.js'
import { makeSubject, type Subject } from './measure/subject.js'
import type { Options } from './options.js'
import { dropDatabase } from './servers/drop-database.js'
import { startFloor } from './servers/start-floor.js'
import { startOurs } from './servers/start-ours.js'
import { startPeer } from './servers/start-peer.js'
import type { System, Target } from './servers/system.js'

/** Starts what is measured, each target on an empty database of its own. */
export type Bench = Readonly<{
  open(
    targets: readonly Target[],
  ): Promise<Readonly<{ subjects: readonly Subject[]; close(): Promise<void> }>>
  close(): Promise<void>
}>

/** Pages and log are large enough that writing them back does not decide a round of some seconds. */
const mariaDbSettings = ['--innodb-buffer-pool-size=1G', '--innodb-log-file-size=1G', '--max-connections=600']

type Place = Readonly<{ folder: string; databaseUrl: string }>

const start = async (
  target: Target,
  { folder, databaseUrl }: Place,
  { server, profileFolder }: Options,
): Promise<System> => {
  if (target === 'floor') return startFloor(databaseUrl)
  if (target === 'fastify') return startPeer(databaseUrl)
  return target === 'base'
    ? startOurs({ main: server, folder, databaseUrl })
    : startOurs({ folder, databaseUrl, profileFolder })
}

/** Starts the load generator and, unless SQLite is measured, a private and durable database. */
export const openBench = async (options: Options): Promise<Bench> => {
  const opened = closers()
  try {
    const mariaDb =
      options.database === 'sqlite'
        ? undefined
        : opened.add(await startMariaDb(mariaDbSettings), (server) => server.stop())
    const database = mariaDb && {
      pid: mariaDb.pid,
      counters: opened.add(await openDatabaseCounters(mariaDb.url('mysql')), (open) => open.close()),
    }
    const load = opened.add(startLoad(), (generator) => generator.stop())
    const open: Bench['open'] = async (targets) => {
      // Whatever ends the run, what is open is closed.
      const systems = opened.add(closers(), (all) => all.close())
      const subjects: Subject[] = []
      try {
        for (const target of targets) {
          const folder = systems.add(await mkdtemp(join(tmpdir(), 'account-import-bench-')), (path) =>
            rm(path, { recursive: true, force: true }),
          )
          const databaseUrl = mariaDb ? systems.add(await mariaDb.createDatabase(), dropDatabase) : ''
          const system = systems.add(await start(target, { folder, databaseUrl }, options), (each) =>
            each.stop(),
          )
          subjects.push(makeSubject(system, { load: load.run, database }))
        }
        return { subjects, close: systems.close }
      } catch (cause) {
        await systems.close()
        throw cause
      }
    }
    return { open, close: opened.close }
  } catch (cause) {
    await opened.close()
    throw cause
  }
}
