import { connectSql, createSqlPorts, migrationStatus } from '@account-import/adapter-sql'
import type { StorePorts } from '@account-import/core'
import { storeCases } from '@account-import/core/contract-tests'
import test from 'ava'
import { holds } from '../contracts/holds.js'
import { additionJourneys } from '../journeys/cases/additions.js'
import { importJourneys } from '../journeys/cases/imports.js'
import { openWorld } from '../journeys/support/world.js'
import { breaksFound } from '../verify/support/breaks-of.js'
import { fullJourney } from '../verify/support/journey.js'
import { startShardedDatabases, type ShardedDatabases } from './support/sharded-databases.js'

/** These need a number that is unique over all suppliers, or one snapshot of all, which no node can give. */
const overAllNodes = new Set([
  'a chain that is read beside sealing has each block with all of its events, and a list has each event once',
  'a number that another account has fails its own item alone, and creates nothing',
  'a number that another account has fails its own item alone, which stores nothing',
  'a number that another account has is a failure in a unit of work',
])

type Knex = ReturnType<typeof connectSql>

let databases: ShardedDatabases
const opened: Knex[] = []

const open = async (): Promise<StorePorts> => {
  const knex = connectSql(await databases.createSharded(), { acquireTimeoutMilliseconds: 60_000 })
  opened.push(knex)
  return createSqlPorts(knex)
}

let ofCases: StorePorts
let ofJourneys: StorePorts

test.before('start a head and three data nodes', async () => {
  databases = await startShardedDatabases()
  ofCases = await open()
  ofJourneys = await open()
})
test.after.always('stop them', async () => {
  for (const knex of opened) await knex.destroy()
  await databases?.stop()
})

const name = 'Spider'

holds(
  storeCases.filter(({ title }) => !overAllNodes.has(title)),
  name,
  () => ofCases,
)

for (const { title, run } of [...importJourneys, ...additionJourneys])
  test(`${title} (${name})`, (t) =>
    run(t, (options) => openWorld(t, { name, stores: () => ofJourneys }, options)))

test('the head needs no migration, and verify finds nothing on all nodes after a journey', async (t) => {
  const knex = connectSql(await databases.createSharded())
  t.teardown(() => knex.destroy())
  t.deepEqual((await migrationStatus(knex)).pending, [])
  await fullJourney(knex)
  t.deepEqual(await breaksFound(knex), [])
  const [[head]] = await knex.raw('SELECT COUNT(*) AS count FROM account_imports')
  t.is(Number(head.count), 6)
})
