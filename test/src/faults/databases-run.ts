import type { Databases } from './world/databases.js'
import { faultRun, type FaultOutcome } from './fault-run.js'
import type { RequestKind } from './loads/requests.js'
import { untilAllSay } from './world/services.js'
import { inWorld } from './world/world.js'

/** Staging, processing and adding, one and many at a time, in turns. */
const kinds: readonly RequestKind[] = [
  'staging',
  'processing',
  'staging',
  'processing',
  'additions',
  'bulk staging',
  'bulk processing',
  'processing',
  'additions',
]

/** How databases are tried. */
export type DatabasesRun = Readonly<{
  /** Only faults whose names have this text. */
  faults: string
  /** Runs of each fault. */
  rounds: number
  /** How long the load flows around a fault: 1 in a long run, less in a short one. */
  pace: number
}>

/** Lets each fault happen to servers of ours on a new database, under load; gives what came of each run. */
export async function* databasesRun(
  databases: Databases,
  { faults, rounds, pace }: DatabasesRun,
): AsyncGenerator<FaultOutcome> {
  const { whole } = databases
  const settings = { PROCESSING_CLAIM_SECONDS: '2' }
  for (let run = 0; run < rounds; run += 1)
    for (const fault of databases.faults.filter(({ name }) => name.includes(faults))) {
      await whole()
      const urls = await databases.createDatabase()
      yield await inWorld(urls, { settings, mayBeAway: true, busy: 3 }, async (world) => {
        await untilAllSay(world.services, 'ready')
        return faultRun(world, fault, { kinds, clientsEach: 4, run, pace, whole, leftStaged: 3 })
      })
    }
}
