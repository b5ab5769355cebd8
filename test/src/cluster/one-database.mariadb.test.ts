import test, { type ExecutionContext } from 'ava'
import { smallDiskAvailable } from '../servers/index.js'
import { clusterRun } from './cluster-run.js'
import type { TriedCluster } from './fault.js'
import type { FaultOutcome } from './fault-run.js'
import { startOneMariaDb } from './one-mariadb.js'
import { startOneSqlite } from './one-sqlite.js'

/** Lets one fault happen, found by its name, once and under load. */
const tried = async (
  t: ExecutionContext,
  start: () => Promise<TriedCluster>,
  name: string,
): Promise<FaultOutcome['row']> => {
  const { cluster, faults } = await start()
  const outcomes: FaultOutcome[] = []
  try {
    await clusterRun(cluster, {
      faults: faults.filter((fault) => fault.name.startsWith(name)),
      rounds: 1,
      pace: 0.5,
      onOutcome: (outcome) => outcomes.push(outcome),
    })
  } finally {
    await cluster.stop()
  }
  const [outcome] = outcomes
  if (outcome === undefined) throw new Error(`there is no fault ${name}`)
  t.log(JSON.stringify(outcome.row))
  t.deepEqual(outcome.faults, [])
  t.true(outcome.row.injected > 0)
  return outcome.row
}

test.serial('MariaDB killed three times under load: nothing lost, doubled or half there', async (t) => {
  await tried(t, startOneMariaDb, 'database killed')
})

if (smallDiskAvailable())
  for (const [name, start] of Object.entries({ MariaDB: startOneMariaDb, SQLite: startOneSqlite }))
    test.serial(
      `the disk of ${name} full under load: 503, and with room again all is there and done`,
      async (t) => {
        const { requests, acknowledged } = await tried(t, start, 'disk full')
        t.true(acknowledged < requests, 'the disk was not full')
      },
    )
