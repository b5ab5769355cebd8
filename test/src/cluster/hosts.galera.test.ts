import { assertTakesWrites, connectSql, createSqlPorts, migrate } from '@account-import/adapter-sql'
import test, { type ExecutionContext } from 'ava'
import { startGalera, until, type Galera } from '../servers/index.js'
import { stagingOf } from '../sql/support/imports.js'
import { answer } from '../support/answers.js'

let galera: Galera

test.before('start Galera', async () => {
  galera = await startGalera(3)
})
test.after.always('stop Galera', () => galera?.stop())

const opened = (t: ExecutionContext, url: string) => {
  const knex = connectSql(url)
  t.teardown(() => knex.destroy())
  return { knex, ports: createSqlPorts(knex) }
}

test('a node that is cut off says that it is not in its cluster, and another one is used', async (t) => {
  const database = await galera.createDatabase()
  const [first, second] = galera.nodes
  if (first === undefined || second === undefined) throw new Error('there are three')
  const all = galera.nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')
  const service = opened(t, `mysql://root@${all}/${database}`)
  const alone = opened(t, first.url(database))
  const other = opened(t, second.url(database))
  await migrate(service.knex)
  await answer(service.ports.accountImports.stage([stagingOf('A-1')]))
  await assertTakesWrites(alone.knex)

  await first.isolate()
  try {
    await until(async () => {
      const refused: unknown = await assertTakesWrites(alone.knex).catch((cause: unknown) => cause)
      return refused instanceof Error && refused.message.startsWith('DATABASE_NOT_IN_CLUSTER')
    }, 'the node that is cut off says so')
    const begun = performance.now()
    await until(async () => {
      const staged = await service.ports.accountImports.stage([stagingOf('A-2')])()
      if (staged._tag === 'Left' && staged.left.kind !== 'unavailable') throw new Error('not unavailable')
      return staged._tag === 'Right'
    }, 'the service goes on')
    t.log(`after ${Math.round(performance.now() - begun)} ms`)
    t.true(performance.now() - begun < 5000)
    t.is((await other.knex('account_imports').pluck('external_account_number')).length, 2)
  } finally {
    await first.rejoin()
  }
  await galera.whole()
  await assertTakesWrites(alone.knex)
})
