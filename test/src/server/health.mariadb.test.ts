import { setTimeout as delay } from 'node:timers/promises'
import test from 'ava'
import { connectSql, migrate, pendingMigrations } from '@account-import/adapter-sql'
import { openSharedDatabase } from '../support/shared-database.js'
import { startServerProcess } from '../support/server-process.js'
import { startMariaDb, type MariaDb } from '../servers/index.js'

let mariaDb: MariaDb

test.before('start MariaDB', async () => {
  mariaDb = await startMariaDb()
})
test.after.always('stop MariaDB', () => mariaDb.stop())

type Answer = Readonly<{ status: number; checks: unknown; milliseconds: number }>

const probe = async (address: string): Promise<Answer> => {
  const begun = performance.now()
  const answer = await fetch(`${address}/readyz`)
  const { checks } = (await answer.json()) as { checks: unknown }
  return { status: answer.status, checks, milliseconds: performance.now() - begun }
}

const failed = (code: string) => ({
  database: { state: 'failed', code },
  migrations: { state: 'unknown', code },
})

const untilReady = async (address: string): Promise<void> => {
  const end = performance.now() + 40_000
  while ((await probe(address)).status !== 200 && performance.now() < end) await delay(200)
}

test.serial('what is pending is read without changing anything, also from an empty database', async (t) => {
  const knex = connectSql(await mariaDb.createDatabase())
  t.teardown(() => knex.destroy())
  const all = await pendingMigrations(knex)
  t.true(all.length >= 3)
  t.deepEqual(await knex.raw('SHOW TABLES').then(([rows]: [unknown]) => rows), [])
  t.deepEqual(await migrate(knex), all)
  t.deepEqual(await pendingMigrations(knex), [])
})

test.serial(
  'a server whose database is gone or stands still is alive but not ready, and says so in time',
  async (t) => {
    const database = await openSharedDatabase(await mariaDb.createDatabase())
    t.teardown(() => database.close())
    const { address, stop } = await startServerProcess(database.environment)
    t.teardown(async () => {
      await stop()
    })
    t.is((await probe(address)).status, 200)

    await mariaDb.kill()
    await delay(1100)
    const gone = await probe(address)
    t.like(gone, { status: 503, checks: failed('database_unavailable') })
    t.is((await fetch(`${address}/livez`)).status, 200)
    await mariaDb.restart()
    await untilReady(address)
    t.is((await probe(address)).status, 200)

    process.kill(mariaDb.pid, 'SIGSTOP')
    try {
      await delay(1100)
      const still = await probe(address)
      t.like(still, { status: 503, checks: failed('timed_out') })
      const again = await probe(address)
      t.is(again.status, 503)
      t.log(`answered after ${Math.round(still.milliseconds)} ms, then ${Math.round(again.milliseconds)} ms`)
      t.true(still.milliseconds < 6000 && again.milliseconds < 1500)
    } finally {
      process.kill(mariaDb.pid, 'SIGCONT')
    }
    await untilReady(address)
    t.is((await probe(address)).status, 200)
  },
)
