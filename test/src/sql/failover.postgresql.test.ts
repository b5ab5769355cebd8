import { connectSql, createSqlPorts, migrate } from '@account-import/adapter-sql'
import test from 'ava'
import { setTimeout } from 'node:timers/promises'
import { startPostgresql, startStandby, until } from '../servers/index.js'
import { answer } from '../support/answers.js'
import { creationOf, keyOf, stagingOf } from './support/imports.js'

test('a primary that is killed under load and its promoted standby lose and double no account', async (t) => {
  const primary = await startPostgresql()
  t.teardown(() => primary.stop())
  const name = new URL(await primary.createDatabase()).pathname.slice(1)
  const standby = await startStandby(primary)
  t.teardown(() => standby.stop())
  await primary.query("ALTER SYSTEM SET synchronous_standby_names = '*'")
  await primary.query('SELECT PG_RELOAD_CONF()')
  await until(
    async () =>
      (await primary.query("SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'")).length === 1,
    'the standby has each commit',
  )
  const hosts = `127.0.0.1:${standby.port},127.0.0.1:${primary.port}`
  const knex = connectSql(`postgres://postgres@${hosts}/${name}`, { maxConnections: 8 })
  t.teardown(() => knex.destroy())
  await migrate(knex)
  const { accountImports } = createSqlPorts(knex)
  const created: string[] = []
  let next = 0
  /** Stages and creates one account after the other; repeats what was not answered. */
  const worker = async (): Promise<void> => {
    while (created.length < 300) {
      const number = `A-${(next += 1)}`
      for (;;) {
        const staged = await accountImports.stage([stagingOf(number)])
        const done = staged._tag === 'Right' ? await accountImports.create([creationOf(number)]) : staged
        if (done._tag === 'Right') break
        t.is(done.left.kind, 'unavailable')
        await setTimeout(50)
      }
      created.push(number)
    }
  }
  const work = Promise.all(Array.from({ length: 8 }, worker))
  await until(async () => created.length > 100, 'accounts are created')
  await primary.kill()
  await standby.query('SELECT PG_PROMOTE()')
  await work
  t.is(new Set(created).size, created.length)
  for (const number of created)
    t.is((await answer(accountImports.find(keyOf(number))))?.created?.platformAccountNumber, `P-${number}`)
  const rows = await standby.query('SELECT external_account_number FROM account_imports', name)
  t.is(rows.length, next)
})
