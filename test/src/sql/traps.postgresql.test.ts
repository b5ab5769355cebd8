import { connectSql, createSqlPorts, DatabaseError, migrate } from '@account-import/adapter-sql'
import { E } from '@account-import/core/fp'
import { setTimeout } from 'node:timers/promises'
import { answer, failure } from '../support/answers.js'
import { type Opened, testDatabases } from './support/databases.js'
import { claimOf, creationOf, keyOf, stagingOf } from './support/imports.js'
import { waitingForLocks } from './support/waiting-for-locks.js'

// Behaviour of PostgreSQL and its driver that MySQL, SQLite and theirs do not have.

const { onPostgresql, postgresql } = testDatabases()

const ignore = (): void => undefined

const rowsOf = async (knex: Opened['knex'], sql: string): Promise<readonly unknown[]> =>
  ((await knex.raw(sql)) as { rows: unknown[] }).rows

const nameIn = (url: string): string => new URL(url).pathname.slice(1)

onPostgresql('a transaction that caught an error is not committed, and says so', async (t, { open }) => {
  const { knex } = open()
  const done = knex.transaction(async (trx) => {
    await trx('operations_teams').insert({ name: 'before' })
    await Promise.resolve(trx.raw('SELECT 1 / 0')).catch(ignore)
    await trx('operations_teams').insert({ name: 'after' }).catch(ignore)
  })
  t.is((await t.throwsAsync(done, { instanceOf: DatabaseError }))?.code, '22012')
  t.deepEqual(await knex('operations_teams'), [])
})

onPostgresql('a COMMIT that is answered by ROLLBACK is an error', async (t, { open }) => {
  const { knex } = open({ maxConnections: 1 })
  const done = knex.transaction(async (trx) => {
    await trx('operations_teams').insert({ name: 'lost' })
    // By the driver, so that only the server knows of the error.
    type Driver = Readonly<{ query(sql: string): Promise<unknown> }>
    const driver = (await trx.client.acquireConnection()) as Driver
    await driver.query('SELECT 1 / 0').catch(ignore)
  })
  t.is((await t.throwsAsync(done, { instanceOf: DatabaseError }))?.code, 'DATABASE_TRANSACTION_ENDED')
  t.deepEqual(await knex('operations_teams'), [])
})

onPostgresql(
  'a key that is there already ends no transaction, and its insert alone is undone',
  async (t, { open }) => {
    const { knex } = open()
    await knex('operations_teams').insert({ name: 'A' })
    await knex.transaction(async (trx) => {
      await trx('operations_teams').insert({ name: 'B' })
      const repeated = trx('operations_teams').insert([{ name: 'C' }, { name: 'A' }])
      t.is((await t.throwsAsync(Promise.resolve(repeated), { instanceOf: DatabaseError }))?.code, '23505')
      await trx('operations_teams').insert({ name: 'D' })
    })
    t.deepEqual(await knex('operations_teams').orderBy('name').pluck('name'), ['A', 'B', 'D'])
  },
)

onPostgresql('payloads with escapes of bytes are returned to the letter', async (t, { open }) => {
  const { accountImports } = open().ports
  const payloads = [String.raw`"\\x41"`, String.raw`"\\101\\000"`, String.raw`"\u0000"`, '"é€😀"']
  for (const payload of payloads) {
    await answer(accountImports.stage([stagingOf('A', payload)]))
    t.like(await answer(accountImports.staged([keyOf('A')])), [{ payload }])
  }
})

onPostgresql('each of several claims gets its own time, number and event', async (t, { open }) => {
  const { accountImports, auditTrail } = open().ports
  const numbers = ['A', 'B', 'C']
  await answer(accountImports.stage(numbers.map((number) => stagingOf(number))))
  const claims = numbers.map((number, index) => claimOf(number, { countsAsAttempt: index > 0 }))
  await answer(accountImports.claim(claims, 3))
  for (const [index, claim] of claims.entries())
    t.like(await answer(accountImports.find(claim.key)), {
      attempts: index > 0 ? 1 : 0,
      claim: { token: claim.token, expiresAt: claim.expiresAt },
    })
  const failed = claims.map(({ key, token, at }) => ({
    key,
    token,
    failure: { code: 'error', at },
    by: undefined,
  }))
  await answer(accountImports.release(failed))
  const events = await answer(auditTrail.events({ organisation: 'ACME' }, undefined, 100))
  t.is(events.filter(({ entry }) => entry.what === 'failed').length, 3)
})

onPostgresql('counts and sums are numbers, as far as these are exact', async (t, { open }) => {
  const { knex } = open()
  t.deepEqual(
    await rowsOf(
      knex,
      'SELECT COUNT(*) AS some, SUM(n) AS sum, MAX(n) AS most FROM (VALUES (1), (2)) AS v (n)',
    ),
    [{ some: 2, sum: 3, most: 2 }],
  )
  t.deepEqual(await rowsOf(knex, 'SELECT 9007199254740993 AS big'), [{ big: '9007199254740993' }])
})

onPostgresql('a connection that the server ends while it is idle is replaced', async (t, { open }) => {
  const [{ knex, ports }, other] = [open({ maxConnections: 1 }), open()]
  await answer(ports.accountImports.stage([stagingOf('A')]))
  const [before] = await rowsOf(knex, 'SELECT PG_BACKEND_PID() AS pid')
  await rowsOf(
    other.knex,
    'SELECT PG_TERMINATE_BACKEND(pid) FROM pg_stat_activity WHERE datname = CURRENT_DATABASE() AND pid <> PG_BACKEND_PID()',
  )
  await setTimeout(200)
  t.is((await answer(ports.accountImports.find(keyOf('A'))))?.stagedVersion, 1)
  t.notDeepEqual(await rowsOf(knex, 'SELECT PG_BACKEND_PID() AS pid'), [before])
})

onPostgresql('settings of the database change no result', async (t, { url, open }) => {
  const against = [
    "datestyle = 'SQL, DMY'",
    "timezone = 'America/New_York'",
    "default_transaction_isolation = 'serializable'",
    'transform_null_equals = on',
    'standard_conforming_strings = off',
    "lock_timeout = '1h'",
  ]
  for (const each of against) await postgresql().query(`ALTER DATABASE ${nameIn(url)} SET ${each}`)
  const { accountImports, accounts } = open().ports
  const numbers = Array.from({ length: 40 }, (_, index) => `A-${index}`)
  const stagings = numbers.map((number) => stagingOf(number))
  await Promise.all([...stagings, ...stagings].map((staging) => answer(accountImports.stage([staging]))))
  const outcomes = await Promise.all(
    numbers.flatMap((number) =>
      [0, 1].map((at) => answer(accountImports.create([creationOf(number, `P-${number}-${at}`)]))),
    ),
  )
  t.is(outcomes.flat().filter(({ _tag }) => _tag === 'created').length, numbers.length)
  const creation = creationOf('T')
  await answer(accountImports.stage([stagingOf('T', '{"a":1}', creation.at)]))
  await answer(accountImports.create([creation]))
  t.is((await answer(accounts.find(keyOf('T'))))?.createdAt, creation.at)
})

onPostgresql('a refused staging is told apart from one that changed its row', async (t, { open }) => {
  const { accountImports } = open().ports
  await answer(accountImports.stage([stagingOf('A'), stagingOf('B')]))
  await answer(accountImports.create([creationOf('A')]))
  t.deepEqual(await answer(accountImports.stage([stagingOf('A'), stagingOf('B'), stagingOf('C')])), [
    { _tag: 'already_imported', platformAccountNumber: 'P-A' },
    { _tag: 'replaced', version: 2 },
    { _tag: 'created', version: 1 },
  ])
})

onPostgresql('an account that a list names twice is staged twice', async (t, { open }) => {
  const { accountImports } = open().ports
  const outcomes = await Promise.all(
    [stagingOf('A'), stagingOf('A')].map((each) => answer(accountImports.stage([each]))),
  )
  t.deepEqual(
    outcomes
      .flat()
      .map((outcome) => 'version' in outcome && outcome.version)
      .toSorted(),
    [1, 2],
  )
})

onPostgresql(
  'a statement with more values than the protocol counts is refused before it is sent',
  async (t, { open }) => {
    const { knex } = open()
    const most = 65_535
    const teams = Array.from({ length: most + 1 }, (_, index) => ({ name: `Team ${index}` }))
    const error = await t.throwsAsync(Promise.resolve(knex('operations_teams').insert(teams)), {
      instanceOf: DatabaseError,
    })
    t.is(error?.message, '54023: the statement has 65536 values, and PostgreSQL takes 65535 at most')
    await knex('operations_teams').insert(teams.slice(1))
    t.deepEqual(await knex('operations_teams').count({ many: '*' }), [{ many: most }])
  },
)

onPostgresql('a text that is too long by blanks is refused, and not cut', async (t, { open }) => {
  const { knex } = open()
  const row = { operations_team: 'T'.repeat(255), organisation: 'A' }
  await knex('operations_team_bindings').insert(row)
  const longer = { ...row, operations_team: `${row.operations_team}  ` }
  const error = await t.throwsAsync(Promise.resolve(knex('operations_team_bindings').insert(longer)), {
    instanceOf: DatabaseError,
  })
  t.is(error?.code, '23514')
  t.notRegex(error?.message ?? '', /TTT/)
})

onPostgresql('a connection has no prepared statements and no settings of a session', async (t, { open }) => {
  const { knex, ports } = open({ maxConnections: 1 })
  await answer(ports.accountImports.stage([stagingOf('A'), stagingOf('B')]))
  await answer(ports.accountImports.create([creationOf('A')]))
  await answer(
    ports.unitOfWork.run('ACME', async (stores) => E.right(await stores.accounts.lock(keyOf('A')))),
  )
  t.deepEqual(await rowsOf(knex, 'SELECT name FROM pg_prepared_statements'), [])
  t.deepEqual(await rowsOf(knex, "SELECT name, setting FROM pg_settings WHERE source = 'session'"), [])
})

onPostgresql(
  'numbers are in the order of their code points in a database that sorts otherwise',
  async (t) => {
    const name = 'sorted_by_language'
    await postgresql().query(
      `CREATE DATABASE ${name} TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en' LOCALE 'C.UTF-8'`,
    )
    const knex = connectSql(postgresql().url(name))
    t.teardown(() => knex.destroy())
    await migrate(knex)
    const { accountImports } = createSqlPorts(knex)
    const numbers = ['A-1', 'B', 'Z', 'a', 'a 1', 'a-1', 'a1', 'é']
    await answer(accountImports.stage(numbers.toReversed().map((number) => stagingOf(number))))
    const page = await answer(accountImports.page({ ...keyOf(''), list: 'all', after: undefined, limit: 10 }))
    t.deepEqual(
      page.map(({ externalAccountNumber }) => externalAccountNumber),
      numbers,
    )
  },
)

/** Errors of a server that cannot work now, by SQLSTATE, and one of its own kind. */
const unavailable = '08006 25006 25P03 40001 40P01 42501 53100 53300 55P03 57014 57P01 57P03 58030'.split(' ')

onPostgresql('temporary errors of a server are unavailable, by their SQLSTATE', async (t, { open }) => {
  const { knex, ports } = open()
  const body = 'BEGIN RAISE EXCEPTION USING ERRCODE = NEW.token; END'
  await knex.raw(`CREATE FUNCTION says() RETURNS TRIGGER LANGUAGE plpgsql AS $$ ${body} $$`)
  await knex.raw('CREATE TRIGGER says BEFORE INSERT ON leases FOR EACH ROW EXECUTE FUNCTION says()')
  const { at } = stagingOf('A')
  const kindOf = async (state: string): Promise<string> => {
    const { kind } = await failure(ports.leases.take({ job: state, token: state, at, endsAt: at }))
    return `${state} ${kind}`
  }
  t.deepEqual(await Promise.all([...unavailable, 'P0001'].map(kindOf)), [
    ...unavailable.map((state) => `${state} unavailable`),
    'P0001 unexpected',
  ])
})

onPostgresql(
  'a call that meets a limit of time of the server is repeated until the lock is free',
  async (t, { url, open }) => {
    const [{ knex: holder }, setUp] = [open(), open()]
    await answer(setUp.ports.accountImports.stage([stagingOf('A')]))
    await postgresql().query(`ALTER DATABASE ${nameIn(url)} SET statement_timeout = 100`)
    const { ports } = open()
    const lock = await holder.transaction()
    await lock('account_imports').forUpdate()
    const staging = answer(ports.accountImports.stage([stagingOf('A')]))
    await waitingForLocks({ knex: holder }, 1)
    await setTimeout(500)
    await lock.rollback()
    t.deepEqual(await staging, [{ _tag: 'replaced', version: 2 }])
  },
)

onPostgresql(
  'a unit of work that the server ends for its idleness is unavailable, and stores nothing',
  async (t, { url, open }) => {
    await postgresql().query(`ALTER DATABASE ${nameIn(url)} SET idle_in_transaction_session_timeout = 100`)
    const { ports } = open()
    const failed = await failure(
      ports.unitOfWork.run('ACME', async ({ accountImports }) => {
        const staged = await accountImports.stage([stagingOf('A')])
        await setTimeout(400)
        return E.isLeft(staged) ? staged : accountImports.stage([stagingOf('B')])
      }),
    )
    t.is(failed.kind, 'unavailable')
    t.is(await answer(ports.accountImports.find(keyOf('A'))), undefined)
  },
)

onPostgresql(
  'a database that takes no writes is named, and a later one is used without a restart',
  async (t, { url, open }) => {
    const { knex, ports } = open({ maxConnections: 1 })
    await answer(ports.accountImports.stage([stagingOf('A')]))
    const setReadOnly = (value: 'on' | 'off') =>
      postgresql().query(`ALTER DATABASE ${nameIn(url)} SET default_transaction_read_only = ${value}`)
    await setReadOnly('on')
    await rowsOf(knex, 'SELECT PG_TERMINATE_BACKEND(PG_BACKEND_PID())').catch(ignore)
    t.is((await failure(ports.accountImports.stage([stagingOf('B')]))).kind, 'unavailable')
    const readers = open({ onlyReads: true }).ports
    t.is((await answer(readers.accountImports.find(keyOf('A'))))?.stagedVersion, 1)
    await setReadOnly('off')
    t.deepEqual(await answer(ports.accountImports.stage([stagingOf('B')])), [{ _tag: 'created', version: 1 }])
  },
)

onPostgresql('several migrations at one time make the tables once', async (t) => {
  const url = await postgresql().createDatabase()
  const all = [1, 2, 3].map(() => connectSql(url))
  t.teardown(() => Promise.all(all.map((knex) => knex.destroy())).then(ignore))
  const done = await Promise.all(all.map((knex) => migrate(knex)))
  t.is(done.filter((steps) => steps.length > 0).length, 1)
})
