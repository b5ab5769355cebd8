import { connectSql, createSqlPorts, migrate, migrationStatus } from '@account-import/adapter-sql'
import test, { type ExecutionContext } from 'ava'
import { createConnection } from 'mysql2/promise'
import { setTimeout } from 'node:timers/promises'
import { answer, failure } from '../support/answers.js'
import { type Opened, testDatabases } from './support/databases.js'
import { keyOf, now, stagingOf } from './support/imports.js'
import type { Instant, PortFailure, StorePorts } from '@account-import/core'
import { makeUseCases } from '@account-import/core/fp'
import { inMemoryPorts } from '@account-import/core/in-memory'
import { inspect } from 'node:util'
import { gasAccount } from '../support/samples.js'
import { setUp } from '../support/set-up.js'
import { created } from '@account-import/core/contract-tests'
import { accountOf } from './support/account-of.js'
import { apiKeyOf, createAcme } from './support/acme.js'
import { answerClaimOf } from './support/answer-claim.js'

const { onEach, onMariaDb, mariaDb } = testDatabases()

type Knex = Opened['knex']

const books = 'account_import_migrations'
const owner = 'account_import_migrations_owner'

const steps = ['0001-tables', '0002-open-failures', '0003-imports-in-one-statement']

const forget = (knex: Knex, names: readonly string[]): PromiseLike<unknown> =>
  knex(books).whereIn('name', names).delete()

/** To be made on a database without tables, to which the address leads. */
const areDoneOnce = async (t: ExecutionContext, url: string): Promise<void> => {
  const knex = connectSql(url)
  t.teardown(() => knex.destroy())
  t.deepEqual(await migrationStatus(knex), { done: [], unknown: [], pending: steps })
  for (const table of [books, owner]) t.false(await knex.schema.hasTable(table), 'who asks changes nothing')
  t.deepEqual(await migrate(knex), steps)
  t.deepEqual(await migrate(knex), [])
  t.deepEqual(await migrationStatus(knex), { done: steps, unknown: [], pending: [] })
  const { accountImports } = createSqlPorts(knex)
  t.deepEqual(await answer(accountImports.stage([stagingOf('1')])), [{ _tag: 'created', version: 1 }])
}

const title = 'migrations say what they did, are done in their order, and once'

test(`${title} (SQLite)`, (t) => areDoneOnce(t, 'sqlite::memory:'))
onMariaDb(title, async (t) => areDoneOnce(t, await mariaDb().createDatabase()))

/** Every index of the tables, with its columns. */
const indexesOf = async (knex: Knex): Promise<unknown> => {
  const [rows] = (await knex.raw(
    'SELECT table_name, index_name, column_name, non_unique FROM information_schema.statistics ' +
      'WHERE table_schema = DATABASE() ORDER BY table_name, index_name, seq_in_index',
  )) as [unknown]
  return rows
}

onMariaDb(
  'an interrupted migration without any of its tables is finished by the next',
  async (t, { open }) => {
    const { knex } = open()
    const whole = await indexesOf(knex)
    const made = whole as readonly Readonly<{ table_name: string }>[]
    const names = new Set(made.map((row) => row.table_name).filter((name) => !name.startsWith(books)))
    t.true(names.size > 10)
    // A table is made by one statement. Every other one may be there or not.
    for (const name of names) {
      await knex.schema.dropTable(name)
      await forget(knex, steps)
      t.deepEqual(await migrate(knex), steps, name)
      t.deepEqual(await indexesOf(knex), whole, name)
    }
  },
)

const owned = (knex: Knex, milliseconds: number): PromiseLike<unknown> =>
  knex(owner).update({ token: 'somebody', expires_at: Date.now() + milliseconds })

const ownerIn = async (knex: Knex): Promise<unknown> => (await knex(owner).first('token')) as unknown

onMariaDb(
  'one process migrates at a time, and the lease of an interrupted one expires',
  async (t, { open }) => {
    const { knex } = open()
    await forget(knex, steps)
    await owned(knex, 60_000)
    await t.throwsAsync(migrate(knex), { name: 'MigrationLocked' })
    t.deepEqual((await migrationStatus(knex)).pending, steps)
    t.deepEqual(await ownerIn(knex), { token: 'somebody' })
    await owned(knex, -1)
    t.deepEqual(await migrate(knex), steps)
    t.deepEqual(await ownerIn(knex), { token: null })
  },
)

onMariaDb(
  'a late renewal keeps the lease when no other process could write meanwhile',
  async (t, { open }) => {
    const { knex } = open()
    await owned(knex, -1)
    const other = migrate(knex)
    await setTimeout(2000)
    await owned(knex, 30_000)
    await t.throwsAsync(other, { name: 'MigrationLocked' })
  },
)

onMariaDb('a migrator that lost its lease records nothing', async (t, { url, open }) => {
  const { knex } = open()
  await forget(knex, steps)
  // The step waits for the table.
  const holder = await createConnection(url)
  await holder.query('LOCK TABLES account_imports WRITE')
  const late = t.throwsAsync(migrate(knex), { name: 'MigrationLocked' })
  await setTimeout(1000)
  await owned(knex, 60_000)
  await holder.end()
  await late
  t.deepEqual((await migrationStatus(knex)).pending, steps)
})

onEach('a payload is returned to the letter, up to the largest one', async (t, { open }) => {
  const { accountImports } = open().ports
  const payload = `{"n":1.10,  "t":"\\u00e9 é e\u0301 🔌 ' \\\\ "}${'x'.repeat(5 * 1024 * 1024)} `
  await answer(accountImports.stage([stagingOf('large', payload)]))
  t.true((await answer(accountImports.staged([keyOf('large')])))[0]?.payload === payload)
})

onEach('instants keep their milliseconds', async (t, { open }) => {
  const { organisations } = open().ports
  const instants = ['000', '001', '010', '100', '999'].map((ms) => `2026-03-29T01:59:59.${ms}Z` as Instant)
  for (const createdAt of [...instants, '2026-01-01T00:00:00.000Z' as Instant]) {
    await answer(organisations.create({ code: createdAt, name: 'n', createdAt, disabledAt: undefined }))
    t.is((await answer(organisations.find(createdAt)))?.createdAt, createdAt)
  }
})

/** Text that is not JSON; JSON of a type that no column has; and of the right type with wrong content. */
const corrupt = ['{"secret', '"secret"', 'null', '42', '[[["secret"]]]', '[{"secret":"secret"}]', '']

type Read = (ports: StorePorts) => Promise<PortFailure>

/**
 * The fields of an account, in `payload`, `remains` or `content`, are not checked again, since this service alone writes them.
 */
const columns: Readonly<Record<string, Read>> = {
  'api_keys.scopes': ({ apiKeys }) => failure(apiKeys.find('key')),
  'import_suppliers.settings': ({ importSuppliers }) => failure(importSuppliers.findByCode('S')),
  'customer_emails.served': ({ outbox }) => failure(outbox.find('E')),
  'idempotency_records.headers': ({ idempotencyRecords }) =>
    failure(idempotencyRecords.claim(answerClaimOf('R'))),
  'account_imports.payload': ({ accounts }) => failure(accounts.find(keyOf('A'))),
  'account_imports.remains': ({ accounts }) => failure(accounts.find(keyOf('ERASED'))),
  'account_items.content': ({ accounts }) => failure(accounts.find(keyOf('A'))),
}

const fill = async ({ ports }: Opened): Promise<void> => {
  const createdAt = now()
  await createAcme(ports, 'S')
  await created(ports, accountOf('A', 'P-1'))
  await created(ports, accountOf('ERASED', 'P-2'))
  await answer(ports.personalData.erase(keyOf('ERASED'), createdAt))
  await answer(
    ports.unitOfWork.run('ACME', async (stores) => {
      const account = await answer(stores.accounts.lock(keyOf('A')))
      if (account === undefined) throw new Error('there is no account')
      return stores.accountStatements.add(account, [
        { bill_period_from_date: '2025-01-01', bill_period_to_date: '2025-01-31', statement_id: 'ADDED' },
      ])
    }),
  )
  await answer(ports.apiKeys.create(apiKeyOf('key')))
  const email = {
    id: 'E',
    key: keyOf('A'),
    platformAccountNumber: 'P-1',
    language: 'es',
    enqueuedAt: createdAt,
  }
  await answer(ports.outbox.enqueue([email]))
  const claim = answerClaimOf('R')
  await answer(ports.idempotencyRecords.claim(claim))
  const kept = { status: 201, headers: {}, body: 'whatever it is' }
  await answer(ports.idempotencyRecords.keep({ ...claim, answer: kept }))
}

onEach(
  'JSON of another form than its column is a failure that names the column alone',
  async (t, { open }) => {
    const opened = open({ maxConnections: 1 })
    const { knex, ports } = opened
    await fill(opened)
    for (const [name, read] of Object.entries(columns)) {
      const [table = '', column = ''] = name.split('.')
      const row = (await knex(table).whereNotNull(column).first()) as Readonly<Record<string, unknown>>
      for (const text of corrupt) {
        await knex(table)
          .whereNotNull(column)
          .update({ [column]: text })
        const { kind, cause } = await read(ports)
        t.is(kind, 'unexpected')
        t.true(
          cause instanceof Error && cause.name === 'StoredJsonError' && cause.message.startsWith(`${name} `),
          name,
        )
        t.notRegex(inspect(cause, { depth: 9 }), /secret/, name)
      }
      await knex(table)
        .whereNotNull(column)
        .update({ [column]: row[column] })
    }
  },
)

onEach('every column of JSON text is corrupted by a test', async (t, { open }) => {
  const opened = open({ maxConnections: 1 })
  await fill(opened)
  const found = new Set<string>()
  for (const table of new Set(Object.keys(columns).map((name) => name.split('.')[0] ?? '')))
    for (const row of (await opened.knex(table)) as readonly Readonly<Record<string, unknown>>[])
      for (const [column, value] of Object.entries(row))
        if (/^[[{]/.test(String(value))) found.add(`${table}.${column}`)
  t.deepEqual([...found].sort(), Object.keys(columns).sort())
})

onEach('damaged staged data is a failure without a value, and ends its claim', async (t, { open }) => {
  const { knex, ports } = open()
  const useCases = makeUseCases(inMemoryPorts(ports))
  const { organisation, supplier, team } = await setUp(useCases.operator)
  await answer(useCases.stageAccount({ organisation, payload: gasAccount(supplier, 'A-1') }))
  // Other rules found it valid, so it is validated again.
  await knex('account_imports').update({ payload: '{"secret', validated_under: null })
  const request = {
    import_supplier_code: supplier,
    external_account_number: 'A-1',
    operations_team_name: team,
  }
  const result = await useCases.processAccount({ organisation, payload: request })
  t.like(result, {
    _tag: 'Left',
    left: { _tag: 'PortFailure', kind: 'unexpected', port: 'accountImports' },
  })
  t.notRegex(inspect(result, { depth: 9 }), /secret/)
  t.is((await knex('account_imports').first('claim_token')).claim_token, null)
  const references = { organisation, importSupplier: supplier, after: undefined, limit: 10 }
  const { cause } = await failure(ports.documentReferences.page(references))
  t.true(cause instanceof Error && cause.message.startsWith('account_imports.payload '))
  t.notRegex(inspect(cause, { depth: 9 }), /secret/)
})
