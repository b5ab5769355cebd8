import { builtInSettings, type RefreshTokenFamily, type StorePorts } from '@account-import/core'
import { plusSeconds } from '@account-import/core/testing'
import type { ExecutionContext } from 'ava'
import { randomUUID } from 'node:crypto'
import { answer } from '../support/answers.js'
import { apiKeyOf, createAcme } from './support/acme.js'
import { answerClaimOf } from './support/answer-claim.js'
import { withAccount, type Service } from './support/created-account.js'
import { testDatabases, type Opened } from './support/databases.js'
import { now, stagingOf } from './support/imports.js'
import { rowsRead } from './support/rows-read.js'
import { sentBy } from './support/statements-of.js'

const { onEach, onSqlite, onMysqlServers } = testDatabases()

const submission = ({ organisation, supplier }: Service, lists: object) => ({
  organisation,
  payload: { import_supplier: supplier, external_account_number: 'A-1', ...lists },
})

type Item = Readonly<{ prefix: string; index: number; date: string }>

type Add = (service: Service, items: readonly Item[]) => Promise<readonly Readonly<{ status: string }>[]>

/** Additions to an account, by the table that they go into: one of it, and the request for many; it gives the outcome of each. */
const additions: Readonly<Record<'notes' | 'statements' | 'transactions', Add>> = {
  notes: async (service, items) => {
    const notes = items.map(({ prefix, index }) => ({ body: `${prefix} ${index}` }))
    return (await answer(service.useCases.addNotes(submission(service, { notes })))).notes
  },
  statements: async (service, items) => {
    const statements = items.map(({ prefix, index }) => ({
      bill_period_from_date: '2024-01-01',
      bill_period_to_date: '2024-01-31',
      statement_id: `${prefix}-${index}`,
    }))
    // Those that are there already are refused.
    await service.useCases.addHistoricalStatements(submission(service, { statements }))
    return []
  },
  transactions: async (service, items) => {
    const transactions = items.map(({ prefix, index, date }) => ({
      transaction_id: `${prefix}-${index}`,
      transaction_date: date,
      amount: '1.10',
      type: 'SUPPLY_CHARGE',
      product_code: 'P',
      line_items: [
        { start_date: '2025-04-01', end_date: '2025-04-30', number_of_units: 1, net_amount: '1.10' },
      ],
    }))
    return (await answer(service.useCases.addTransactions(submission(service, { transactions })))).results
  },
}

type Table = keyof typeof additions

const tables = Object.keys(additions) as readonly Table[]

/** Before the account's statements, whose ledger the second date moves transactions into. */
const [recently, longAgo] = ['2025-06-01', '2020-01-01']

const some = (count: number, prefix: string, date = recently): readonly Item[] =>
  Array.from({ length: count }, (_, index) => ({ prefix, index, date }))

const isInsert = ({ sql }: Readonly<{ sql: string }>): boolean => /^insert into account_items/i.test(sql)

onEach(
  'a request takes the same statements for 500 additions as for one: 9, and 4 more when it moves transactions',
  async (t, { open }) => {
    const opened = open()
    const service = await withAccount(opened.ports, { notes: [] })
    // SQLite takes a thousand rows in pieces, without going anywhere.
    const isPieceOf = (inserts: number, rows: number): boolean =>
      t.title.endsWith('(SQLite)') ? inserts === Math.ceil(rows / 64) : inserts === Math.ceil(rows / 1000)
    const count = async (table: Table, items: readonly Item[], inserted = items.length): Promise<number> => {
      const sent = await sentBy(opened, () => additions[table](service, items))
      const inserts = sent.filter(isInsert).length
      const moved = items.some(({ date }) => date === longAgo) ? 1 : 0
      t.true(isPieceOf(inserts - moved, inserted), `${inserts} inserts`)
      return sent.length - inserts + (inserted > 0 ? 1 + moved : 0)
    }
    // The supplier, BEGIN, the account's lock, known additions, the end of the list, the account's count, the insert, the audit
    // event, COMMIT.
    t.deepEqual(
      [
        await count('notes', some(1, 'a')),
        await count('notes', some(10, 'b')),
        await count('notes', some(500, 'c')),
      ],
      [9, 9, 9],
    )
    t.is(await count('notes', some(500, 'c'), 0), 5, 'all of them exist: nothing is inserted')
    t.deepEqual([await count('statements', some(1, 'a')), await count('statements', some(500, 'b'))], [9, 9])
    const ofTransactions = (...given: Parameters<typeof some>) => count('transactions', some(...given))
    t.deepEqual(
      [await ofTransactions(1, 'A'), await ofTransactions(10, 'B'), await ofTransactions(500, 'C')],
      [9, 9, 9],
    )
    t.is(await ofTransactions(10_000, 'D'), 28, 'each statement looks up 512')
    t.is(await count('transactions', some(500, 'C'), 0), 5, 'all of them exist: nothing is inserted')
    // The note takes four more: is it there, the end of the notes, the account's count, the insert.
    t.deepEqual([await ofTransactions(10, 'E', longAgo), await ofTransactions(500, 'F', longAgo)], [13, 13])
  },
)

onMysqlServers(
  'an account with many additions is read by its keys, and the rows read do not grow with them',
  async (t, { open }) => {
    const opened = open({ maxConnections: 1 })
    const service = await withAccount(opened.ports, { notes: [] })
    for (const table of tables)
      for (const prefix of table === 'transactions' ? ['A', 'B', 'C'] : ['A'])
        await additions[table](service, some(10_000, prefix))
    await opened.knex.raw('ANALYZE TABLE account_items')
    const readFor = async (...of: readonly Table[]): Promise<number> => {
      const { rows } = await rowsRead(opened.knex, async () => {
        for (const table of of) await additions[table](service, some(10, 'D'))
      })
      return rows
    }
    const read = [await readFor('notes', 'statements'), await readFor('transactions')]
    t.true(Math.max(...read) < 200, `${read.join(' and ')} rows were read`)
  },
)

onMysqlServers(
  'a thousand additions are found by their ids with table statistics from before they existed',
  async (t, { open }) => {
    const { knex, ports } = open({ maxConnections: 1 })
    const service = await withAccount(ports)
    const many = some(1000, 'A')
    await knex('account_items').delete()
    await knex.raw('ALTER TABLE account_items STATS_PERSISTENT = 1, STATS_AUTO_RECALC = 0')
    await knex.raw('ANALYZE TABLE account_items')
    for (const table of tables) {
      await additions[table](service, many)
      await knex.raw('FLUSH TABLES account_items')
      const { rows } = await rowsRead(knex, () => additions[table](service, many))
      t.true(rows >= many.length && rows < many.length * 7, `${table}: ${rows} rows were read`)
    }
    t.is((await knex('account_items').pluck('ordinal')).length, many.length * tables.length)
  },
)

onSqlite(
  'an account with many transactions is read by its keys: every statement searches, none scans',
  async (t, { open }) => {
    const opened = open()
    const service = await withAccount(opened.ports)
    const sent = await sentBy(opened, () => additions.transactions(service, some(10, 'A')))
    const reads = sent.filter(({ sql }) => /^select/i.test(sql))
    t.is(reads.length, 4)
    for (const { sql, bindings = [] } of reads) {
      const plan = (await opened.knex.raw(`EXPLAIN QUERY PLAN ${sql}`, [...bindings])) as { detail: string }[]
      const scans = plan
        .map(({ detail }) => detail)
        .filter((detail) => /^SCAN (?!sent|CONSTANT)/.test(detail))
      t.deepEqual(scans, [], sql)
    }
  },
)

type Connection = { prepare: (sql: string) => unknown }
type Client = Readonly<{
  acquireConnection(): Promise<Connection>
  releaseConnection(connection: Connection): Promise<void>
}>

/**
 * From now on the n-th statement (from 1, those of transactions counted) on SQLite's one connection fails as if another process
 * had just taken the write lock; it succeeds when it is repeated.
 */
const busyOnce = async ({ knex }: Opened, nth: number) => {
  const client = knex.client as Client
  const connection = await client.acquireConnection()
  const { prepare } = connection
  let seen = 0
  connection.prepare = (sql) => {
    seen += 1
    if (seen === nth) throw Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' })
    return prepare(sql)
  }
  await client.releaseConnection(connection)
  return {
    reached: () => seen >= nth,
    end: () => {
      connection.prepare = prepare
    },
  }
}

type Work = () => Promise<void>

/** Repeats the work until each of its statements has met a lock once and was repeated; returns the number of times. */
const eachRunAgain = async (opened: Opened, prepare: (nth: number) => Promise<Work>): Promise<number> => {
  for (let nth = 1; ; nth += 1) {
    const work = await prepare(nth)
    const busy = await busyOnce(opened, nth)
    await work()
    busy.end()
    if (!busy.reached()) return nth
  }
}

const areAllAdded = (
  t: ExecutionContext,
  results: readonly Readonly<{ status: string }>[],
  status: string,
  nth: number,
): void => void t.deepEqual([...new Set(results.map((each) => each.status))], [status], `statement ${nth}`)

onSqlite('a request adds the same notes when any one of its statements is repeated', async (t, { open }) => {
  const opened = open()
  const service = await withAccount(opened.ports, { notes: [] })
  const times = await eachRunAgain(
    opened,
    async (nth) => async () =>
      areAllAdded(t, await additions.notes(service, some(3, `try ${nth}`)), 'NOTE_CREATION_SUCCESS', nth),
  )
  t.true(times > 6, `${times} statements`)
  const rows = (await opened.knex('account_items').where({ kind: 'note' }).pluck('content')) as string[]
  const bodies = rows.map((content) => (JSON.parse(content) as { body: string }).body)
  t.deepEqual([bodies.length, new Set(bodies).size], [times * 3, times * 3])
})

onSqlite(
  'a request adds the same transactions when any one of its statements is repeated',
  async (t, { open }) => {
    const opened = open()
    const service = await withAccount(opened.ports)
    const times = await eachRunAgain(opened, async (nth) => async () => {
      const sent = [...some(2, `in ${nth}`), ...some(2, `out ${nth}`, longAgo)]
      areAllAdded(t, await additions.transactions(service, sent), 'TRANSACTION_ADDED_TO_ACCOUNT', nth)
    })
    t.true(times > 7, `${times} statements`)
    const { organisation, supplier: importSupplier, stores } = service
    const key = { organisation, importSupplier, externalAccountNumber: 'A-1' }
    const details = (await answer(stores.accounts.find(key)))?.details
    const ids = details?.ledgers[0]?.current_statement_transactions.map((each) => each.transaction_id) ?? []
    t.is(new Set(ids).size, ids.length, 'nothing twice')
    t.is(ids.filter((id) => /^(in|out) \d+-\d$/.test(id)).length, times * 4, 'nothing lost')
    const pinned = details?.notes.filter(({ body }) => body?.startsWith('2 imported transactions'))
    t.is(pinned?.length, times)
  },
)

const organisation = 'ACME'
const settings = builtInSettings

const aSupplier = () =>
  ({ organisation, code: randomUUID().slice(0, 12), status: 'ongoing', settings }) as const

const aFamily = (secondsToLive = 60): RefreshTokenFamily => ({
  hash: randomUUID(),
  apiKeyId: 'key',
  secretHash: randomUUID(),
  expiresAt: plusSeconds(now(), secondsToLive),
  endsAt: plusSeconds(now(), 1000),
})

const anApiKey = (of = organisation) => apiKeyOf(randomUUID().slice(0, 12), of)

/** An operation with its preparation, and its expected result. */
type Prepared = Readonly<{ run(): Promise<unknown>; expected: unknown }>
type Prepare = (ports: StorePorts) => Promise<Prepared>

const operations: Readonly<Record<string, Prepare>> = {
  'a refresh token is used': async ({ refreshTokens }) => {
    const family = aFamily()
    const next = { secretHash: randomUUID(), expiresAt: plusSeconds(now(), 90) }
    await answer(refreshTokens.begin(family, now(), 10))
    return {
      run: () => answer(refreshTokens.follow(family.hash, family.secretHash, next)),
      expected: true,
    }
  },
  'a family of refresh tokens begins': async ({ refreshTokens }) => {
    const family = aFamily()
    await answer(refreshTokens.begin(aFamily(-60), plusSeconds(now(), -5000), 10))
    const run = async () => {
      await answer(refreshTokens.begin(family, now(), 1))
      return answer(refreshTokens.find(family.hash))
    }
    return { run, expected: family }
  },
  'a failed attempt is counted': async ({ failedAttempts }) => ({
    run: () => answer(failedAttempts.record(randomUUID(), now())),
    expected: 1,
  }),
  'a supplier is created': async ({ importSuppliers }) => ({
    run: () => answer(importSuppliers.create(aSupplier())),
    expected: 'created',
  }),
  'settings are saved': async ({ importSuppliers }) => {
    const { code } = aSupplier()
    await answer(importSuppliers.create({ organisation, code, status: 'ongoing', settings }))
    const changed = { ...settings, documentRoot: 'in' }
    return { run: () => answer(importSuppliers.saveSettings(code, settings, changed)), expected: 'saved' }
  },
  'an API key is created': async ({ apiKeys }) => ({
    run: () => answer(apiKeys.create(anApiKey())),
    expected: 'created',
  }),
  'an API key is rotated': async ({ apiKeys }) => {
    const old = anApiKey()
    await answer(apiKeys.create(old))
    return { run: () => answer(apiKeys.rotate(old.id, anApiKey(), now())), expected: true }
  },
  'all keys of an organisation are revoked': async ({ apiKeys, organisations }) => {
    const code = randomUUID()
    await answer(organisations.create({ code, name: 'Other', createdAt: now(), disabledAt: undefined }))
    await answer(apiKeys.create(anApiKey(code)))
    return { run: () => answer(apiKeys.revokeAll(code, now())), expected: 1 }
  },
  'an organisation is created': async ({ organisations }) => {
    const made = { code: randomUUID(), name: 'Acme', createdAt: now(), disabledAt: undefined }
    return { run: () => answer(organisations.create(made)), expected: 'created' }
  },
  'a team is created': async ({ operationsTeams }) => ({
    run: () => answer(operationsTeams.create(randomUUID())),
    expected: 'created',
  }),
  'a team is bound': async ({ operationsTeams }) => {
    const name = randomUUID()
    await answer(operationsTeams.create(name))
    return { run: () => answer(operationsTeams.bind(name, organisation)), expected: 'bound' }
  },
  'an import is marked to be skipped': async ({ accountImports }) => {
    const { key } = stagingOf(randomUUID())
    return { run: () => answer(accountImports.setSkipped(key, true, now())), expected: 'changed' }
  },
  'an answer is kept': async ({ idempotencyRecords }) => {
    const claim = answerClaimOf(randomUUID())
    const body = { status: 201, headers: {}, body: '{}' }
    const run = async () => {
      await answer(idempotencyRecords.claim(claim))
      await answer(idempotencyRecords.keep({ ...claim, answer: body }))
      return answer(idempotencyRecords.claim(answerClaimOf(claim.key.request)))
    }
    return { run, expected: { _tag: 'answered', answer: body } }
  },
  'an account is staged': async ({ accountImports }) => ({
    run: () => answer(accountImports.stage([stagingOf(randomUUID())])),
    expected: [{ _tag: 'created', version: 1 }],
  }),
}

for (const [title, prepare] of Object.entries(operations))
  onSqlite(`${title} the same when any one of its statements is repeated`, async (t, { open }) => {
    const opened = open()
    await createAcme(opened.ports)
    const times = await eachRunAgain(opened, async (nth) => {
      const { run, expected } = await prepare(opened.ports)
      return async () => void t.deepEqual(await run(), expected, `statement ${nth}`)
    })
    t.true(times > 1 && opened.retries.length >= times - 1, `${opened.retries.length} retries`)
  })
