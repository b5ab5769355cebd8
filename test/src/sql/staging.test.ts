import type { StageOutcome } from '@account-import/core'
import { answer, failure } from '../support/answers.js'
import { testDatabases, type Opened } from './support/databases.js'
import { claimOf, keyOf, stagingOf } from './support/imports.js'
import { statementsOf } from './support/statements-of.js'

const { onEach, onMariaDb } = testDatabases()

const numbers = (count: number, prefix = 'A'): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index}`)

onEach('stagings that come at the same time share statements', async (t, { open }) => {
  const opened = open()
  const { accountImports } = opened.ports
  const sent = await statementsOf(opened, async () => {
    const outcomes = await Promise.all(
      numbers(200).map((number) => answer(accountImports.stage([stagingOf(number, `"${number}"`)]))),
    )
    t.true(outcomes.every(([outcome]) => outcome?._tag === 'created'))
  })
  const inserts = sent.filter((word) => word === 'INSERT')
  t.true(inserts.length < 20, `${inserts.length} statements`)
  for (const number of ['A-0', 'A-63', 'A-64', 'A-199'])
    t.is((await answer(accountImports.staged(keyOf(number))))?.payload, `"${number}"`)
})

onMariaDb('a staging alone is one statement, and one that is refused two', async (t, { open }) => {
  const opened = open()
  const { accountImports } = opened.ports
  const { at } = stagingOf('')
  const stage = async (number: string, outcome: StageOutcome, words: readonly string[]): Promise<void> => {
    const sent = await statementsOf(opened, async () =>
      t.deepEqual(await answer(accountImports.stage([stagingOf(number)])), [outcome], number),
    )
    t.deepEqual(sent, words, number)
  }
  await stage('A', { _tag: 'created', version: 1 }, ['INSERT'])
  await stage('A', { _tag: 'replaced', version: 2 }, ['INSERT'])
  await stage('A', { _tag: 'replaced', version: 3 }, ['INSERT'])
  await stage('B', { _tag: 'created', version: 1 }, ['INSERT'])
  for (const marked of [true, false]) await answer(accountImports.setSkipped(keyOf('marked'), marked, at))
  await stage('marked', { _tag: 'created', version: 1 }, ['INSERT'])
  await answer(accountImports.setSkipped(keyOf('skipped'), true, at))
  await stage('skipped', { _tag: 'marked_to_skip' }, ['INSERT', 'SELECT'])
  const claim = claimOf('A')
  await answer(accountImports.claim([claim]))
  await stage('A', { _tag: 'in_progress' }, ['INSERT', 'SELECT'])
  await answer(accountImports.complete([{ ...claim, platformAccountNumber: 'P-1' }]))
  await stage('A', { _tag: 'already_imported', platformAccountNumber: 'P-1' }, ['INSERT', 'SELECT'])
})

onMariaDb(
  'stagings of one batch are read back only where one of them was there before',
  async (t, { open }) => {
    const opened = open()
    const { accountImports } = opened.ports
    const stage = (list: readonly string[]) =>
      statementsOf(opened, () => answer(accountImports.stage(list.map((number) => stagingOf(number)))))
    t.deepEqual(await stage(['A', 'B', 'C']), ['BEGIN', 'INSERT', 'COMMIT'])
    t.deepEqual(await stage(['C', 'D']), ['BEGIN', 'INSERT', 'SELECT', 'COMMIT'])
  },
)

onEach('a list longer than a batch is answered in its own order', async (t, { open }) => {
  const { accountImports } = open().ports
  await answer(accountImports.stage([stagingOf('A-7'), stagingOf('A-150')]))
  const outcomes = await answer(accountImports.stage([...numbers(151)].reverse().map((n) => stagingOf(n))))
  const replaced = [...numbers(151)].reverse().filter((_, index) => outcomes[index]?._tag === 'replaced')
  t.deepEqual(replaced, ['A-150', 'A-7'])
})

onEach('stagings of one account at the same time get one version each', async (t, { open }) => {
  const [first, second] = [open().ports, open().ports]
  const outcomes = await Promise.all(
    numbers(40).map((payload, index) =>
      answer((index % 2 === 0 ? first : second).accountImports.stage([stagingOf('same', `"${payload}"`)])),
    ),
  )
  const versions = outcomes.map(([outcome]) =>
    outcome !== undefined && 'version' in outcome ? outcome.version : 0,
  )
  t.deepEqual(
    [...versions].sort((a, b) => a - b),
    Array.from({ length: 40 }, (_, index) => index + 1),
  )
  const last = versions.indexOf(40)
  t.deepEqual(await answer(first.accountImports.staged(keyOf('same'))), {
    version: 40,
    payload: `"A-${last}"`,
  })
})

onEach(
  'in one batch some are stored and the others refused, each for its own reason',
  async (t, { open }) => {
    const { accountImports } = open().ports
    await answer(accountImports.stage(['claimed', 'created', 'kept'].map((number) => stagingOf(number, '1'))))
    await answer(accountImports.setSkipped(keyOf('skipped'), true, stagingOf('').at))
    const created = claimOf('created')
    await answer(accountImports.claim([claimOf('claimed'), created]))
    await answer(
      accountImports.complete([
        { key: created.key, token: created.token, platformAccountNumber: 'P-1', at: created.at },
      ]),
    )
    const batch = ['skipped', 'kept', 'created', 'new', 'claimed'].map((number) => stagingOf(number, '2'))
    t.deepEqual(await answer(accountImports.stage(batch)), [
      { _tag: 'marked_to_skip' },
      { _tag: 'replaced', version: 2 },
      { _tag: 'already_imported', platformAccountNumber: 'P-1' },
      { _tag: 'created', version: 1 },
      { _tag: 'in_progress' },
    ])
    const payloads = ['skipped', 'kept', 'created', 'new', 'claimed'].map((number) =>
      answer(accountImports.staged(keyOf(number))).then((staged) => staged?.payload),
    )
    t.deepEqual(await Promise.all(payloads), [undefined, '2', '1', '2', '1'])
  },
)

onMariaDb(
  'what the database does not take fails alone, not those that share its transaction',
  async (t, { open }) => {
    const { accountImports } = open().ports
    const tooLong = 'x'.repeat(129)
    const all = ['A', 'B', tooLong, 'C'].map((number) => accountImports.stage([stagingOf(number)])())
    const tags = (await Promise.all(all)).map(({ _tag }) => _tag)
    t.deepEqual(tags, ['Right', 'Right', 'Left', 'Right'])
    const refused = await failure(accountImports.stage([stagingOf(tooLong, '"secret payload"')]))
    t.is(refused.kind, 'unexpected')
    const logged = `${String(refused.cause)} ${refused.cause instanceof Error ? refused.cause.stack : ''}`
    t.notRegex(logged, /secret|xxx|INSERT|VALUES/)
  },
)

onMariaDb(
  'two processes that stage and replace the same accounts never run into a deadlock',
  async (t, { open }) => {
    const processes = [open(), open()]
    const counts = new Map<string, number>()
    const worker = async ({ ports }: Opened, seed: number): Promise<void> => {
      for (let round = 0; round < 40; round += 1) {
        const list = [0, 1, 2, 3, 4].map((step) => `A-${(seed * 7 + round * 3 + step * 11) % 60}`)
        await answer(ports.accountImports.stage(list.map((number) => stagingOf(number, 'x'.repeat(4000)))))
        for (const number of list) counts.set(number, (counts.get(number) ?? 0) + 1)
      }
    }
    await Promise.all(Array.from({ length: 32 }, (_, seed) => worker(processes[seed % 2] as Opened, seed)))
    t.deepEqual(
      processes.flatMap(({ retries }) => retries),
      [],
    )
    const found = await (processes[0] as Opened)
      .knex('account_imports')
      .select('external_account_number', 'staged_version')
    const versions = new Map(
      found.map((row) => [String(row.external_account_number), Number(row.staged_version)]),
    )
    t.deepEqual(versions, new Map([...counts].sort(([a], [b]) => (a < b ? -1 : 1))))
  },
)

onMariaDb('statements kept on a connection stay few, however they differ', async (t, { open }) => {
  const { knex, ports } = open({ maxConnections: 1, maxPreparedStatements: 32 })
  for (let size = 1; size <= 60; size += 1) {
    const list = numbers(size).map((number) => stagingOf(number))
    await answer(ports.unitOfWork.run((stores) => stores.accountImports.stage(list)))
  }
  const [rows] = await knex.raw("SHOW SESSION STATUS LIKE 'Com_stmt_%'")
  const count = (name: string): number =>
    Number(
      (rows as { Variable_name: string; Value: string }[]).find((row) => row.Variable_name === name)?.Value,
    )
  t.true(count('Com_stmt_prepare') > 100)
  t.true(count('Com_stmt_prepare') - count('Com_stmt_close') <= 32)
})

onMariaDb(
  'an import that somebody keeps locked does not fail those that are staged beside it',
  async (t, { open }) => {
    const { accountImports } = open().ports
    await answer(accountImports.stage([stagingOf('locked')]))
    const lock = await open().knex.transaction()
    await lock('account_imports').where({ external_account_number: 'locked' }).forUpdate().first('state')
    const [kind, outcomes] = await Promise.all([
      failure(accountImports.stage([stagingOf('locked')])),
      answer(accountImports.stage([stagingOf('free')])),
    ])
    await lock.rollback()
    t.is(kind.kind, 'unavailable')
    t.deepEqual(outcomes, [{ _tag: 'created', version: 1 }])
  },
)
