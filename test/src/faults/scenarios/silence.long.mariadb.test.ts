import { connectSql } from '@account-import/adapter-sql'
import test from 'ava'
import { startMariaDb, type MariaDb } from '../../servers/index.js'
import { latencyRun, silenceRun } from './wire.js'
import { startTcpProxy } from '../world/tcp-proxy.js'

let mariaDb: MariaDb

test.before('start MariaDB', async () => {
  mariaDb = await startMariaDb()
})
test.after.always('stop MariaDB', () => mariaDb.stop())

const mostMilliseconds = 30_000

for (const kind of ['staging', 'processing'] as const)
  for (const way of ['there', 'back'] as const)
    test(`a database that falls silent ${way === 'there' ? 'before it heard' : 'before it answered'} all of ${kind}: told in time to come again, then done once`, async (t) => {
      const { row, faults } = await silenceRun(await mariaDb.createDatabase(), kind, way)
      t.log(JSON.stringify(row))
      t.deepEqual(faults, [])
      t.true(row.injected >= 1, `${row.injected} requests met the silence`)
    })

test('a statement that is prepared for the first time on a connection that fell silent fails in time', async (t) => {
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

test('a database that is 25 ms away each way: single and bulk requests are done, none is refused', async (t) => {
  const { row, faults } = await latencyRun(await mariaDb.createDatabase())
  t.log(JSON.stringify(row))
  t.deepEqual(faults, [])
  t.is(row.injected, 82)
})
