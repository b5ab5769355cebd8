import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startMariaDb } from '@account-import/test/servers'
import { startLoad } from './load/start-load.js'
import { openDatabaseCounters } from './measure/database-counters.js'
import { makeSubject, type Subject } from './measure/subject.js'
import { startFloor } from './servers/start-floor.js'
import { startOurs } from './servers/start-ours.js'

/** Both systems on one private, durable database, ready to be measured. */
export type Bench = Readonly<{ ours: Subject; floor: Subject; close(): Promise<void> }>

/** Starts everything that is measured and measures; `close` ends and removes all of it. */
export const openBench = async (profileFolder: string | undefined): Promise<Bench> => {
  const closers: (() => Promise<unknown>)[] = []
  const opened = <A>(resource: A, close: (resource: A) => Promise<unknown>): A => {
    closers.unshift(() => close(resource))
    return resource
  }
  const close = async (): Promise<void> => {
    for (const each of closers.splice(0)) await each()
  }
  try {
    const folder = opened(await mkdtemp(join(tmpdir(), 'account-import-bench-')), (path) =>
      rm(path, { recursive: true, force: true }),
    )
    const mariaDb = opened(await startMariaDb(), (server) => server.stop())
    const [oursUrl, floorUrl] = [await mariaDb.createDatabase(), await mariaDb.createDatabase()]
    const counters = opened(await openDatabaseCounters(oursUrl), (open) => open.close())
    const load = opened(startLoad(), (generator) => generator.stop())
    const ours = opened(await startOurs({ folder, databaseUrl: oursUrl, profileFolder }), (system) =>
      system.stop(),
    )
    const floor = opened(await startFloor(floorUrl), (system) => system.stop())
    const instruments = { load, counters, databasePid: mariaDb.pid }
    return { ours: makeSubject(ours, instruments), floor: makeSubject(floor, instruments), close }
  } catch (cause) {
    await close()
    throw cause
  }
}
