import { connectSql } from '@account-import/adapter-sql'
import test, { type ExecutionContext } from 'ava'
import { startMariaDb, type MariaDb } from '../../servers/index.js'
import { onBackend } from '../../support/on-backend.js'
import type { RequestKind } from '../loads/requests.js'
import { startTcpProxy } from '../../support/tcp-proxy.js'
import type { Place } from '../world/world.js'
import { cutRun, latencyRun, silenceRun } from './wire.js'

let mariaDb: MariaDb

test.before('start MariaDB', async () => {
  mariaDb = await startMariaDb()
})
test.after.always('stop MariaDB', () => mariaDb.stop())

/** Some cuts of each are enough in every run: `npm run faults -- wire` makes them all. */
const most: readonly (readonly [RequestKind, Readonly<Record<Place, number>>])[] = [
  ['staging', { database: 4, client: 3 }],
  ['processing', { database: 8, client: 3 }],
  ['bulk staging', { database: 4, client: 3 }],
  ['bulk processing', { database: 4, client: 3 }],
  ['additions', { database: 8, client: 3 }],
]

const isWell = (t: ExecutionContext, { faults, figures }: Awaited<ReturnType<typeof cutRun>>): void => {
  t.log(JSON.stringify(figures))
  t.deepEqual(faults, [])
  t.true(figures.happened > figures.cuts / 2, 'most cuts came too late to hit the request')
}

const titles: Readonly<Record<Place, string>> = {
  database: 'connections to the database that are cut at any byte',
  client: 'connections of clients that are cut at any byte',
}

for (const place of ['database', 'client'] as const)
  for (const [kind, cuts] of most)
    test.serial(
      `${titles[place]} of ${kind}: the request is done or repeated, nothing twice or half-written`,
      async (t) => {
        isWell(t, await cutRun(await mariaDb.createDatabase(), place, kind, cuts[place]))
      },
    )

test.serial(
  `${titles.client} of bulk processing on SQLite: the request is done or repeated, nothing twice`,
  async (t) => {
    isWell(t, await onBackend.sqlite((url) => cutRun(url, 'client', 'bulk processing', 3)))
  },
)

const mostMilliseconds = 30_000

for (const kind of ['staging', 'processing'] as const)
  for (const way of ['there', 'back'] as const)
    test(`a database that goes silent ${way === 'there' ? 'before the request' : 'before the response'} of all of ${kind} gives a retry in time, and the repeat is done once`, async (t) => {
      const { row, faults } = await silenceRun(await mariaDb.createDatabase(), kind, way)
      t.log(JSON.stringify(row))
      t.deepEqual(faults, [])
      t.true(row.injected >= 1, `${row.injected} requests met the silence`)
    })

test('a first prepared statement on a silent connection fails in time', async (t) => {
  const proxy = await startTcpProxy(mariaDb.port)
  t.teardown(() => proxy.stop())
  const address = new URL(await mariaDb.createDatabase())
  address.port = String(proxy.port)
  const knex = connectSql(address.href, { maxConnections: 1 })
  t.teardown(() => knex.destroy())
  await knex.raw('SELECT 1')
  proxy.set({ kind: 'silence', way: 'back', after: 0 })
  const begun = Date.now()
  await t.throwsAsync(async () => knex.raw('SELECT ?', [1]), { message: /does not answer in time/ })
  t.true(Date.now() - begun < mostMilliseconds)
  proxy.heal()
  await t.notThrowsAsync(async () => knex.raw('SELECT ?', [1]))
})

test('a database 25 ms away each way completes single and bulk requests without a refusal', async (t) => {
  const { row, faults } = await latencyRun(await mariaDb.createDatabase())
  t.log(JSON.stringify(row))
  t.deepEqual(faults, [])
  t.is(row.injected, 42)
})
