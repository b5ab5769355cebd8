import { setTimeout as delay } from 'node:timers/promises'
import { poolUse, type Batch } from '@account-import/adapter-sql'
import { answer } from '../support/answers.js'
import { testDatabases } from './support/databases.js'

const { onEach } = testDatabases()

onEach(
  'a pool says what it is used for, and how long each call waited for its connection',
  async (t, database) => {
    const waits: number[] = []
    const { knex } = database.open({ maxConnections: 1, onConnectionWait: (wait) => waits.push(wait) })
    await knex.raw('SELECT 1')
    t.deepEqual(poolUse(knex), { used: 0, free: 1, waiting: 0, most: 1 })
    const { second } = await knex.transaction(async (trx) => {
      await trx.raw('SELECT 1')
      const second = Promise.resolve(knex.raw('SELECT 1'))
      await delay(60)
      t.deepEqual(poolUse(knex), { used: 1, free: 0, waiting: 1, most: 1 })
      return { second }
    })
    await second
    t.is(waits.length, 3)
    t.true((waits[1] ?? 0) < 40 && (waits[2] ?? 0) >= 50, waits.join())
    await knex.destroy()
    t.deepEqual(poolUse(knex), { used: 0, free: 0, waiting: 0, most: 0 })
  },
)

onEach('a call that got no connection has waited too', async (t, database) => {
  const waits: number[] = []
  const { knex } = database.open({
    maxConnections: 1,
    acquireTimeoutMilliseconds: 100,
    onConnectionWait: (wait) => waits.push(wait),
  })
  await knex.transaction(async (trx) => {
    await trx.raw('SELECT 1')
    await t.throwsAsync(Promise.resolve(knex.raw('SELECT 1')))
  })
  t.is(waits.length, 2)
  t.true((waits[1] ?? 0) >= 90, waits.join())
})

onEach('reads of one moment are told as one batch with its size', async (t, database) => {
  const batches: Batch[] = []
  const { ports } = database.open({ onBatch: (batch) => batches.push(batch) })
  await Promise.all(
    [1, 2, 3].map((_, index) => answer(ports.operationsTeams.exists(`team ${index}`, 'ACME'))),
  )
  t.deepEqual(batches, [{ work: 'read', size: 3 }])
})
