import { connectSql, createSqlPorts, migrate, poolUse, type OnBatch } from '@account-import/adapter-sql'
import test from 'ava'
import { setTimeout as delay } from 'node:timers/promises'
import { answer, failure } from '../support/answers.js'
import { createAcme } from './support/acme.js'
import { testDatabases, type Opened } from './support/databases.js'
import { creationOf, keyOf, stagingOf } from './support/imports.js'
import { rowsRead } from './support/rows-read.js'

const { onEach, onMariaDb, onSqlite, onMysqlServers } = testDatabases()

/** Counts the statements that a process sends from now on. */
const statementsOf = ({ knex }: Opened): (() => number) => {
  let count = 0
  knex.on('query', () => (count += 1))
  return () => count
}

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index)

onEach('reads of one supplier at the same moment are one statement', async (t, database) => {
  const opened = database.open()
  const { importSuppliers } = opened.ports
  await createAcme(opened.ports, 'LEVANTE')
  const statements = statementsOf(opened)
  const found = await Promise.all(upTo(30).map(() => answer(importSuppliers.find('ACME', 'LEVANTE'))))
  t.deepEqual(
    found.map((supplier) => supplier?.status),
    Array<string>(30).fill('ongoing'),
  )
  t.is(statements(), 1)
  t.is(await answer(importSuppliers.find('OTHER', 'LEVANTE')), undefined)
})

onEach('imports that are read at the same moment are one statement', async (t, { open }) => {
  const opened = open()
  const { accountImports } = opened.ports
  const owners = [
    { organisation: 'ACME', importSupplier: 'LEVANTE' },
    { organisation: 'ACME', importSupplier: 'PONIENTE' },
    { organisation: 'OTHER', importSupplier: 'LEVANTE' },
  ]
  const keys = owners.flatMap((owner) =>
    upTo(13).map((index) => ({ ...owner, externalAccountNumber: `A-${index}` })),
  )
  /** How often each key is staged: otherwise than its neighbours, and than the same number of the other owners. */
  const versions = keys.map((_, index) => index % 7)
  for (const [index, key] of keys.entries())
    for (const _ of upTo(versions[index] ?? 0))
      await answer(accountImports.stage([{ ...stagingOf('', '{}'), key }]))
  const statements = statementsOf(opened)
  const asked = [...keys, ...keys.slice(0, 20)]
  const found = await Promise.all(asked.map((key) => answer(accountImports.find(key))))
  t.is(statements(), 1)
  t.deepEqual(
    found.map((each) => [each?.key, each?.stagedVersion]),
    asked.map((key, index) => {
      const version = versions[index % keys.length]
      return version === 0 ? [undefined, undefined] : [key, version]
    }),
  )
})

onEach('imports whose joined key parts are equal are different imports', async (t, { open }) => {
  const { accountImports } = open().ports
  const key = (organisation: string, importSupplier: string, externalAccountNumber: string) => ({
    organisation,
    importSupplier,
    externalAccountNumber,
  })
  const keys = [key('A', 'B', 'CD'), key('A', 'BC', 'D'), key('AB', 'C', 'D'), key('"A","B', 'C', 'D')]
  await answer(accountImports.stage([{ ...stagingOf(''), key: keys[1] ?? keyOf('') }]))
  const found = await Promise.all(keys.map((each) => answer(accountImports.find(each))))
  t.deepEqual(
    found.map((each) => each?.key),
    [undefined, keys[1], undefined, undefined],
  )
})

onEach('a read that begins after a change sees it, with any reads in progress', async (t, database) => {
  const [{ ports }, other] = [database.open(), database.open()]
  await createAcme(ports, 'LEVANTE')
  const [supplier, staged] = [
    () => answer(ports.importSuppliers.find('ACME', 'LEVANTE')),
    () => answer(ports.accountImports.find(keyOf('A'))),
  ]
  for (let round = 1; round <= 40; round += 1) {
    const status = round % 2 === 0 ? 'paused' : 'ongoing'
    const earlier = [1, 2, 3].map(() => Promise.all([supplier(), staged()]))
    await answer(other.ports.importSuppliers.setStatus('LEVANTE', status))
    await answer(other.ports.accountImports.stage([stagingOf('A')]))
    t.deepEqual([(await supplier())?.status, (await staged())?.stagedVersion], [status, round])
    await Promise.all(earlier)
  }
})

onSqlite('an unreadable row does not fail the other rows of its statement', async (t, { open }) => {
  const { knex, ports } = open()
  const names = ['A', 'B', 'C']
  await createAcme(ports, ...names)
  await answer(ports.accountImports.stage(names.map((number) => stagingOf(number))))
  await knex('import_suppliers').where({ code: 'B' }).update({ settings: '{"markets":7}' })
  const broken = { claim_token: 'token', claim_expires_at: 7 }
  await knex('account_imports').where({ external_account_number: 'B' }).update(broken)
  for (const asked of [
    names.map((code) => ports.importSuppliers.find('ACME', code)),
    names.map((number) => ports.accountImports.find(keyOf(number))),
  ]) {
    const tags = (await Promise.all<Readonly<{ _tag: string }>>(asked)).map(({ _tag }) => _tag)
    t.deepEqual(tags, ['Right', 'Left', 'Right'])
  }
})

test('a failed read fails its sharers, and the next read sends a new statement', async (t) => {
  const knex = connectSql('sqlite::memory:')
  t.teardown(() => knex.destroy())
  const ports = createSqlPorts(knex)
  const find = (): Promise<string> => ports.importSuppliers.find('ACME', 'LEVANTE').then(({ _tag }) => _tag)
  t.deepEqual(await Promise.all([find(), find(), find()]), ['Left', 'Left', 'Left'])
  await migrate(knex)
  t.is(await find(), 'Right')
})

onEach('reads are unavailable after one time limit while all connections are in use', async (t, { open }) => {
  const limit = 4000
  const { knex, ports } = open({ maxConnections: 1, acquireTimeoutMilliseconds: limit })
  const taken = await knex.transaction()
  const started = performance.now()
  const failures = await Promise.all([
    ...upTo(400).map((index) => failure(ports.accountImports.find(keyOf(`A-${index}`)))),
    failure(ports.importSuppliers.find('ACME', 'LEVANTE')),
    failure(ports.operationsTeams.exists('Operations', 'ACME')),
  ])
  const took = performance.now() - started
  t.deepEqual(new Set(failures.map(({ kind }) => kind)), new Set(['unavailable']))
  t.true(took >= limit * 0.9 && took < limit * 2, `${took} ms`)
  await taken.rollback()
  t.is(await answer(ports.accountImports.find(keyOf('A-1'))), undefined)
})

onMariaDb(
  'concurrent reads and stagings open at most the allowed number of connections',
  async (t, { open }) => {
    const [{ knex, ports }, other] = [
      open({ maxConnections: 2, acquireTimeoutMilliseconds: 60_000 }),
      open({ maxConnections: 1 }),
    ]
    const opened =
      'SELECT COUNT(*) AS count FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()'
    const countOpened = async (): Promise<number> => {
      const [[row]] = await other.knex.raw(opened)
      return Number(row.count)
    }
    const before = await countOpened()
    const work = upTo(300).flatMap((index) => [
      answer(ports.accountImports.find({ ...keyOf(`A-${index}`), importSupplier: `S-${index % 9}` })),
      answer(ports.accountImports.stage([stagingOf(`A-${index}`)])),
      answer(ports.importSuppliers.find('ACME', `S-${index}`)),
      knex('operations_teams').select(),
    ])
    let isDone = false
    const all = Promise.all(work).finally(() => (isDone = true))
    const counts: number[] = []
    while (!isDone) counts.push(await countOpened())
    await all
    t.is(Math.max(...counts, await countOpened()) - before, 2)
  },
)

onMariaDb('a server that is no node of Galera is not told to wait for other nodes', async (t, { open }) => {
  const { knex } = open({ maxConnections: 1 })
  const [[row]] = await knex.raw('SELECT @@SESSION.wsrep_sync_wait AS waits')
  t.is(Number(row.waits), 0)
})

onEach('closing waits for reads in progress, and later ones fail', async (t, { open }) => {
  const { knex, ports } = open()
  await answer(ports.accountImports.stage([stagingOf('A')]))
  const sent = new Promise((resolve) => void knex.once('query', resolve))
  const found = upTo(5).map(() => answer(ports.accountImports.find(keyOf('A'))))
  await sent
  const closed = knex.destroy()
  t.deepEqual(
    (await Promise.all(found)).map((each) => each?.stagedVersion),
    [1, 1, 1, 1, 1],
  )
  await closed
  await failure(ports.accountImports.find(keyOf('A')))
})

onMysqlServers(
  'imports are found by their keys with table statistics from before they existed',
  async (t, { open }) => {
    const { knex, ports } = open({ maxConnections: 1 })
    await knex.raw('ALTER TABLE account_imports STATS_PERSISTENT = 1, STATS_AUTO_RECALC = 0')
    await knex.raw('ANALYZE TABLE account_imports')
    await answer(ports.accountImports.stage(upTo(3000).map((index) => stagingOf(`A-${index}`))))
    await knex.raw('FLUSH TABLES account_imports')
    const { result: found, rows } = await rowsRead(knex, () =>
      Promise.all(upTo(50).map((index) => answer(ports.accountImports.find(keyOf(`A-${index * 60}`))))),
    )
    t.true(found.every((each) => each?.stagedVersion === 1))
    t.true(rows >= 50 && rows < 300, `${rows} rows were read`)
  },
)

onEach('a pool reports its use and the wait of each call for a connection', async (t, database) => {
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
})

onEach('a call that got no connection reports its wait too', async (t, database) => {
  const waits: number[] = []
  const { knex } = database.open({
    maxConnections: 1,
    acquireTimeoutMilliseconds: 1000,
    onConnectionWait: (wait) => waits.push(wait),
  })
  await knex.transaction(async (trx) => {
    await trx.raw('SELECT 1')
    await t.throwsAsync(Promise.resolve(knex.raw('SELECT 1')))
  })
  t.is(waits.length, 2)
  t.true((waits[1] ?? 0) > 900, waits.join())
})

onEach('concurrent reads are reported as one batch with its size', async (t, database) => {
  const batches: Parameters<OnBatch>[0][] = []
  const { ports } = database.open({ onBatch: (batch) => batches.push(batch) })
  await Promise.all([1, 2, 3].map((each) => answer(ports.importSuppliers.find('ACME', `SUPPLIER-${each}`))))
  t.deepEqual(batches, [{ work: 'read', size: 3 }])
})

onEach(
  'lists of callers of one moment are joined whole, and one item that cannot be done fails alone',
  async (t, database) => {
    const batches: Parameters<OnBatch>[0][] = []
    const { accountImports } = database.open({ onBatch: (batch) => batches.push(batch) }).ports
    const lists = [
      [0, 40],
      [40, 80],
      [80, 100],
    ].map(([from, to]) =>
      upTo(100)
        .slice(from, to)
        .map((index) => `N-${index}`),
    )
    const all = lists.flat()
    await Promise.all(
      lists.map((list) => answer(accountImports.stage(list.map((number) => stagingOf(number))))),
    )
    t.deepEqual(batches.splice(0), [
      { work: 'stage', size: 60 },
      { work: 'stage', size: 40 },
    ])
    await answer(accountImports.stage(all.map((number) => stagingOf(number, '{"again":1}'))))
    t.deepEqual(batches.splice(0), [
      { work: 'stage', size: 64 },
      { work: 'stage', size: 36 },
    ])
    await answer(accountImports.stage([stagingOf('first')]))
    await answer(accountImports.create([creationOf('first', 'P-N-7')]))
    const created = await Promise.all(
      lists.map((list) => answer(accountImports.create(list.map((number) => creationOf(number))))),
    )
    t.deepEqual(
      created.flat().map(({ _tag }) => _tag),
      all.map((number) => (number === 'N-7' ? 'failed' : 'created')),
    )
  },
)
