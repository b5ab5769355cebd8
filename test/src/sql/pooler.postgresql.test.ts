import { connectSql, createSqlPorts, migrate } from '@account-import/adapter-sql'
import { E } from '@account-import/core/fp'
import test from 'ava'
import { type Pooler, type Postgresql, startPgBouncer, startPostgresql } from '../servers/index.js'
import { answer } from '../support/answers.js'
import { creationOf, keyOf, stagingOf } from './support/imports.js'

let server: Postgresql
let pooler: Pooler

test.before('start PostgreSQL and PgBouncer', async () => {
  server = await startPostgresql(['synchronous_commit=off', 'datestyle=SQL, DMY'])
  pooler = await startPgBouncer(server, 3)
})
test.after.always('stop them', async () => {
  await pooler?.stop()
  await server?.stop()
})

test('two servers behind a pooler with fewer connections than theirs create each account once', async (t) => {
  const database = new URL(await server.createDatabase()).pathname.slice(1)
  const pools = [1, 2].map(() => connectSql(pooler.url(database), { maxConnections: 8 }))
  t.teardown(() => Promise.all(pools.map((knex) => knex.destroy())).then(() => undefined))
  for (const knex of pools) await migrate(knex)
  const stores = pools.map((knex) => createSqlPorts(knex))
  const numbers = Array.from({ length: 100 }, (_, index) => `A-${index}`)
  await Promise.all(
    stores.flatMap(({ accountImports }) =>
      numbers.map((number) => answer(accountImports.stage([stagingOf(number)]))),
    ),
  )
  const creations = await Promise.all(
    stores.flatMap(({ unitOfWork, accountImports }, at) =>
      numbers.map(async (number, index) => {
        const creation = creationOf(number, `P-${number}-${at}`)
        const [outcome] = await answer(
          index % 2 === 0
            ? accountImports.create([creation])
            : unitOfWork.run('ACME', (inside) => inside.accountImports.create([creation])),
        )
        return outcome?._tag
      }),
    ),
  )
  t.is(creations.filter((tag) => tag === 'created').length, numbers.length)
  t.deepEqual(new Set(creations), new Set(['created', 'already_imported']))
})

test('a transaction that fails behind a pooler leaves nothing to the next one', async (t) => {
  const database = new URL(await server.createDatabase()).pathname.slice(1)
  const knex = connectSql(pooler.url(database))
  t.teardown(() => knex.destroy())
  await migrate(knex)
  const { accountImports, unitOfWork } = createSqlPorts(knex)
  const { at } = stagingOf('A')
  for (let round = 0; round < 6; round += 1)
    await unitOfWork.run('ACME', async (inside) => {
      await inside.accountImports.stage([stagingOf(`R-${round}`)])
      return E.left('refused')
    })
  await answer(accountImports.stage([stagingOf('A', '{}', at)]))
  t.is(await answer(accountImports.find(keyOf('R-0'))), undefined)
  const staged = await answer(
    accountImports.stagedPage({
      organisation: 'ACME',
      importSupplier: 'LEVANTE',
      until: at,
      limit: 9,
    }),
  )
  t.deepEqual(staged, [{ externalAccountNumber: 'A', firstStagedAt: at }])
})
