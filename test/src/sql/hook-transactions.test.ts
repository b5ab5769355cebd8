import { connectSql, DatabaseError, type SqlPortsOptions } from '@account-import/adapter-sql'
import { createImportService } from '@account-import/core'
import { inMemoryPorts } from '@account-import/core/in-memory'
import test from 'ava'
import { mariaDbAvailable, startMariaDb } from '../servers/index.js'
import { gasAccount } from '../support/samples.js'
import { isPostgresql, type TestDatabase, testDatabases } from './support/databases.js'
import { waitingForLocks } from './support/waiting-for-locks.js'

type Knex = ReturnType<typeof connectSql>
type Hook = (trx: Knex, run: number) => Promise<unknown>

const { onEach, onMysqlServers, onServers, onSqlite } = testDatabases()

const ignore = (): void => undefined

/** A table of an embedding program, with a row for each number. */
const withCrm = async (knex: Knex, numbers: readonly number[] = []): Promise<void> => {
  await knex.schema.createTable('crm', (table) => {
    table.integer('id').primary()
    table.string('run')
  })
  if (numbers.length > 0) await knex('crm').insert(numbers.map((id) => ({ id })))
}

/** Processes a staged account by a service with the hook, which gets the number of its run. */
const processWith = async (open: TestDatabase['open'], hook: Hook) => {
  let runs = 0
  const onAccountsCreated: SqlPortsOptions['onAccountsCreated'] = async (trx) => {
    runs += 1
    await hook(trx, runs)
  }
  const service = createImportService(inMemoryPorts(open({ onAccountsCreated }).ports))
  await service.operator.createOrganisation({ code: 'ACME' })
  await service.operator.createSupplier({ code: 'LEVANTE', organisation: 'ACME' })
  await service.operator.createTeam('Team')
  await service.stageAccount({ organisation: 'ACME', payload: gasAccount('LEVANTE', 'A-1') })
  const key = { organisation: 'ACME', importSupplier: 'LEVANTE', externalAccountNumber: 'A-1' }
  const processed = await service.processAccount({
    organisation: 'ACME',
    payload: {
      import_supplier_code: 'LEVANTE',
      external_account_number: 'A-1',
      operations_team_name: 'Team',
    },
  })
  const status = await service.transferStatus(key)
  const isCreated = status.ok && status.value.platformAccountNumber !== undefined
  return { runs, ok: processed.ok, isCreated }
}

const created = (runs: number) => ({ runs, ok: true, isCreated: true })
const refused = (runs: number) => ({ runs, ok: false, isCreated: false })

/** The transaction that catches the deadlock: that of the hook, or one inside it. */
const places: readonly (readonly [
  string,
  (trx: Knex, work: (trx: Knex) => Promise<void>) => Promise<unknown>,
])[] = [
  ['the hook', (trx, work) => work(trx)],
  ['a nested transaction of the hook', (trx, work) => trx.transaction(work)],
]

for (const [what, inside] of places)
  onServers(
    `an account is created with all rows of its hook after ${what} caught a deadlock`,
    async (t, { open }) => {
      const other = open()
      await withCrm(
        other.knex,
        Array.from({ length: 300 }, (_, index) => index),
      )
      const setRun = (knex: Knex, id: number, run: string) => knex('crm').where({ id }).update({ run })
      const outcome = await processWith(open, async (trx, run) => {
        await trx('crm').insert({ id: 1000 + run, run: 'first' })
        await inside(trx, async (own) => {
          await setRun(own, 0, 'ours')
          if (run > 1) return
          // The other transaction changes more rows, so that it is not the one that loses.
          const rival = await other.knex.transaction()
          // PostgreSQL ends the one that notices the deadlock first.
          if (isPostgresql(rival))
            await rival.raw('SET LOCAL deadlock_timeout = 60000; SET LOCAL lock_timeout = 0')
          await rival('crm').where('id', '>', 0).where('id', '<', 300).update({ run: 'theirs' })
          const theirs = setRun(rival, 0, 'theirs').then(() => rival.rollback())
          await waitingForLocks(other, 1)
          try {
            await setRun(own, 1, 'ours')
          } finally {
            await theirs
          }
        }).catch(ignore)
        await trx('crm').insert({ id: 2000 + run, run: 'later' })
      })
      t.deepEqual(outcome, created(2))
      t.deepEqual(await other.knex('crm').where('id', '>=', 1000).orderBy('id').pluck('id'), [1002, 2002])
    },
  )

onServers(
  'nothing is created or stored after the hook caught the loss of its connection',
  async (t, { open }) => {
    const { knex } = open()
    await withCrm(knex)
    const outcome = await processWith(open, async (trx) => {
      await Promise.resolve(
        trx.raw(isPostgresql(trx) ? 'SELECT PG_TERMINATE_BACKEND(PG_BACKEND_PID())' : 'KILL CONNECTION_ID()'),
      ).catch(ignore)
      await Promise.resolve(trx('crm').insert({ id: 1 })).catch(ignore)
    })
    t.deepEqual(outcome, refused(1))
    t.deepEqual(await knex('crm'), [])
  },
)

onEach('an account is created with the rows of a hook that caught a duplicate key', async (t, { open }) => {
  const { knex } = open()
  await withCrm(knex, [1])
  const outcome = await processWith(open, async (trx) => {
    await Promise.resolve(trx('crm').insert({ id: 1 })).catch(ignore)
    await trx('crm').insert({ id: 2 })
  })
  t.deepEqual(outcome, created(1))
  t.deepEqual(await knex('crm').orderBy('id').pluck('id'), [1, 2])
})

onSqlite(
  'nothing is created or stored after the hook caught an error that rolled back',
  async (t, { open }) => {
    const { knex } = open()
    await withCrm(knex, [1])
    const outcome = await processWith(open, async (trx) => {
      await Promise.resolve(trx.raw('INSERT OR ROLLBACK INTO crm (id) VALUES (1)')).catch(ignore)
      await Promise.resolve(trx('crm').insert({ id: 2 })).catch(ignore)
    })
    t.deepEqual(outcome, refused(1))
    t.deepEqual(await knex('crm').pluck('id'), [1])
  },
)

const statements = ['BEGIN', ' commit', '/* done */ ROLLBACK']
/** PostgreSQL has changes of tables in its transactions. */
const ofMysql = ['CREATE TABLE of_hook (id INT)', 'TRUNCATE crm', '-- x\nALTER TABLE crm ADD COLUMN n INT']

onEach(
  'a statement of the hook that would end the transaction is refused, and nothing is created',
  async (t, { open }) => {
    const { knex } = open()
    await withCrm(knex, [1])
    const others = isPostgresql(knex) ? ['-- x\nABORT'] : t.title.endsWith('(SQLite)') ? [] : ofMysql
    for (const sql of [...statements, ...others])
      t.deepEqual(await processWith(open, (trx) => trx.raw(sql)), refused(1), sql)
    t.deepEqual(await knex('crm').pluck('id'), [1])
    t.false(await knex.schema.hasTable('of_hook'))
  },
)

onServers('a temporary table of the hook is made, because it ends no transaction', async (t, { open }) => {
  t.deepEqual(
    await processWith(open, (trx) => trx.raw('CREATE TEMPORARY TABLE of_hook (id INT PRIMARY KEY)')),
    created(1),
  )
})

onServers(
  'rows after a procedure of the hook that commits are not stored, and the call fails',
  async (t, { open }) => {
    const { knex } = open()
    await withCrm(knex)
    await knex.raw(
      isPostgresql(knex)
        ? "CREATE PROCEDURE commits() LANGUAGE plpgsql AS 'BEGIN COMMIT; END'"
        : 'CREATE PROCEDURE commits() BEGIN COMMIT; END',
    )
    const { ok } = await processWith(open, async (trx) => {
      await Promise.resolve(trx.raw('CALL commits()')).catch(ignore)
      await Promise.resolve(trx('crm').insert({ id: 1 })).catch(ignore)
    })
    t.false(ok)
    t.deepEqual(await knex('crm'), [])
  },
)

onMysqlServers('numbers of the hook are numbers', async (t, { open }) => {
  const { knex } = open()
  await knex.raw(
    'CREATE TABLE numbers (id INT PRIMARY KEY, flag BIT(1), bits BIT(8), doc JSON, big BIGINT, part DOUBLE)',
  )
  const found: unknown[] = []
  const outcome = await processWith(open, async (trx) => {
    const row = { flag: 1, bits: 5, doc: '{}', big: Number.MAX_SAFE_INTEGER, part: 0.5 }
    await trx('numbers').insert({ id: 1, ...row })
    await trx.raw("UPDATE numbers SET doc = JSON_SET(doc, '$.n', ?, '$.o', JSON_OBJECT('b', ?))", [5, 9])
    await trx('numbers').insert({ id: 2, big: -7 })
    const [rows] = (await trx.raw(
      'SELECT LEAST(?, ?) AS least, ? > ? AS greater, ? - ? AS less',
      [9, 10, 9, 10, 1, 2],
    )) as [unknown[]]
    found.push(rows[0])
    found.push(
      await trx('numbers')
        .select(trx.raw('flag + 0 AS flag, bits + 0 AS bits, doc, big, part'))
        .orderBy('id')
        .limit(1),
    )
    found.push(await trx('numbers').orderBy('id').limit(1).offset(1).pluck('big'))
  })
  t.deepEqual(outcome, created(1))
  const [compared, [stored], second] = found as [Record<string, unknown>, [Record<string, unknown>], unknown]
  t.deepEqual(Object.values(compared).map(Number), [9, 0, -1])
  const { doc, ...columns } = stored
  t.deepEqual(columns, { flag: 1, bits: 5, big: Number.MAX_SAFE_INTEGER, part: 0.5 })
  t.deepEqual(typeof doc === 'string' ? JSON.parse(doc) : doc, { n: 5, o: { b: 9 } })
  t.deepEqual(second, [-7])
})

if (mariaDbAvailable())
  for (const [rollsBack, stored] of [
    [true, []],
    [false, [2, 3]],
  ] as const)
    test(`a transaction that caught the end of a wait for a lock is ${rollsBack ? 'never committed where the server rolls back' : 'committed where it goes on'}`, async (t) => {
      const server = await startMariaDb(rollsBack ? ['--innodb-rollback-on-timeout'] : [])
      t.teardown(() => server.stop())
      const knex = connectSql(await server.createDatabase())
      t.teardown(() => knex.destroy())
      await withCrm(knex, [1])
      const holder = await knex.transaction()
      await holder('crm').where({ id: 1 }).update({ run: 'held' })
      const caught = knex.transaction(async (trx) => {
        await trx('crm').insert({ id: 2 })
        await Promise.resolve(trx('crm').where({ id: 1 }).update({ run: 'late' })).catch(ignore)
        await trx('crm').insert({ id: 3 }).catch(ignore)
      })
      const error: unknown = await caught.then(ignore, (cause: unknown) => cause)
      await holder.rollback()
      t.is(error instanceof DatabaseError ? error.errno : error, rollsBack ? 1205 : undefined)
      t.deepEqual(await knex('crm').where('id', '>', 1).orderBy('id').pluck('id'), stored)
    })
