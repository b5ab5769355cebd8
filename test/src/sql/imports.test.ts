import type { ClaimOutcome, PortResult, StageOutcome } from '@account-import/core'
import { E } from '@account-import/core/fp'
import { setTimeout } from 'node:timers/promises'
import { answer, failure } from '../support/answers.js'
import { testDatabases, type Opened } from './support/databases.js'
import { claimOf, creationOf, keyOf, now, stagingOf } from './support/imports.js'
import { firstWord, sentBy, statementsOf } from './support/statements-of.js'

const { onEach, onMariaDb } = testDatabases()

const numbers = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `A-${index}`)

onEach('concurrent stagings share statements', async (t, { open }) => {
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
    t.is((await answer(accountImports.staged([keyOf(number)])))[0]?.payload, `"${number}"`)
})

onMariaDb('a lone staging is one statement, and only a refused one is read', async (t, { open }) => {
  const opened = open()
  const { accountImports } = opened.ports
  const { at } = stagingOf('')
  const stage = async (number: string, outcome: StageOutcome, words: readonly string[]): Promise<void> => {
    const sent = await statementsOf(opened, async () =>
      t.deepEqual(await answer(accountImports.stage([stagingOf(number)])), [outcome], number),
    )
    t.deepEqual(sent, ['INSERT', ...words], number)
  }
  await stage('A', { _tag: 'created', version: 1 }, [])
  await stage('A', { _tag: 'replaced', version: 2 }, [])
  await stage('B', { _tag: 'created', version: 1 }, [])
  for (const marked of [true, false]) await answer(accountImports.setSkipped(keyOf('marked'), marked, at))
  await stage('marked', { _tag: 'created', version: 1 }, [])
  await answer(accountImports.setSkipped(keyOf('skipped'), true, at))
  await stage('skipped', { _tag: 'marked_to_skip' }, ['SELECT'])
  const claim = claimOf('A')
  await answer(accountImports.claim([claim]))
  await stage('A', { _tag: 'in_progress' }, ['SELECT'])
  await answer(accountImports.create([creationOf('A', 'P-1', { token: claim.token })]))
  await stage('A', { _tag: 'already_imported', platformAccountNumber: 'P-1' }, ['SELECT'])
})

onMariaDb(
  'one account and sixty-four are created by one statement, and one more reads why an account is not',
  async (t, { open }) => {
    const opened = open()
    const { accountImports } = opened.ports
    await answer(accountImports.stage(numbers(65).map((number) => stagingOf(number))))
    for (const list of [['A-64'], numbers(64)]) {
      const sent = await sentBy(opened, async () =>
        t.deepEqual(
          await answer(accountImports.create(list.map((number) => creationOf(number)))),
          list.map(() => ({ _tag: 'created' })),
        ),
      )
      t.deepEqual(sent.map(firstWord), ['UPDATE'])
    }
    const refused = ['A-1', 'unknown'].map((number) => creationOf(number, `Q-${number}`))
    const sent = await sentBy(opened, async () => {
      const tags = (await answer(accountImports.create(refused))).map(({ _tag }) => _tag)
      t.deepEqual(tags, ['already_imported', 'not_staged'])
    })
    t.deepEqual(sent.map(firstWord), ['UPDATE', 'SELECT'])
    t.true(sent.every(({ sql }) => !/\bpayload\b/.test(sql)))
  },
)

onMariaDb(
  'accounts that were judged are created by one statement, each if its data is of the version that was judged',
  async (t, { open }) => {
    const opened = open()
    const { accountImports } = opened.ports
    for (const list of [numbers(3), ['A-2']])
      await answer(accountImports.stage(list.map((number) => stagingOf(number))))
    const judged = numbers(3).map((number) => ({ ...creationOf(number), version: 1 }))
    const create = async (creations: typeof judged) => {
      let tags: readonly string[] = []
      const sent = await sentBy(opened, async () => {
        tags = (await answer(accountImports.create(creations))).map(({ _tag }) => _tag)
      })
      return [...tags, ...sent.map(firstWord)]
    }
    const some = await create(judged)
    t.deepEqual(some, ['created', 'created', 'needs_validation', 'UPDATE', 'SELECT'])
    t.deepEqual(await create([{ ...creationOf('A-2'), version: 2 }]), ['created', 'UPDATE'])
  },
)

onMariaDb(
  'short texts of several callers are read by one statement, and a long one by itself',
  async (t, { open }) => {
    const opened = open()
    const { accountImports } = opened.ports
    await answer(accountImports.stage(numbers(3).map((number) => stagingOf(number))))
    const long = JSON.stringify({ note: 'x'.repeat(40_000) })
    await answer(accountImports.stage([{ ...stagingOf('long'), payload: long }]))
    const sent = await sentBy(opened, async () => {
      const read = await Promise.all(
        [...numbers(3), 'long'].map((number) => answer(accountImports.staged([keyOf(number)]))),
      )
      t.true(read.flat().every((data) => data?.version === 1))
      t.is(read.at(-1)?.[0]?.payload, long)
    })
    t.deepEqual(sent.map(firstWord), ['SELECT', 'SELECT'])
  },
)

onMariaDb(
  'lists of any length are created by few prepared statements of a connection',
  async (t, { open }) => {
    const opened = open({ maxConnections: 1 })
    const { accountImports } = opened.ports
    await answer(accountImports.stage(numbers(300).map((number) => stagingOf(number))))
    const all = [...numbers(300)]
    const texts = new Set<string>()
    for (let size = 1; all.length > 0; size += 1) {
      const list = all.splice(0, size)
      const sent = await sentBy(opened, () =>
        answer(accountImports.create(list.map((number) => creationOf(number)))),
      )
      for (const { sql } of sent) if (/^(?:SELECT|UPDATE)/.test(sql)) texts.add(sql)
    }
    // Lists of 1, 2, 4, 8, 16 and 32 accounts.
    t.is(texts.size, 6)
  },
)

onEach('data of existing accounts is compared by few statements', async (t, { open }) => {
  const opened = open()
  const { accountImports } = opened.ports
  const stagings = numbers(32).map((number) => stagingOf(number, `{"n":"${number}"}`))
  await answer(accountImports.stage(stagings))
  await answer(accountImports.create(numbers(32).map((number) => creationOf(number))))
  const texts = stagings.map(({ key, payload }, n) => ({
    key,
    payload: n % 2 === 0 ? payload : ` ${payload}`,
  }))
  const sent = await statementsOf(opened, async () =>
    t.deepEqual(
      await answer(accountImports.sameData(texts)),
      texts.map(() => true),
    ),
  )
  t.deepEqual(sent, ['SELECT', 'SELECT'])
})

onMariaDb('stagings of one batch are read back only when one of them existed', async (t, { open }) => {
  const opened = open()
  const { accountImports } = opened.ports
  const stage = (list: readonly string[]) =>
    statementsOf(opened, () => answer(accountImports.stage(list.map((number) => stagingOf(number)))))
  t.deepEqual(await stage(['A', 'B', 'C']), ['BEGIN', 'INSERT', 'COMMIT'])
  t.deepEqual(await stage(['C', 'D']), ['BEGIN', 'INSERT', 'SELECT', 'COMMIT'])
})

onEach('a list longer than a batch has its outcomes in order', async (t, { open }) => {
  const { accountImports } = open().ports
  await answer(accountImports.stage([stagingOf('A-7'), stagingOf('A-150')]))
  const outcomes = await answer(accountImports.stage([...numbers(151)].reverse().map((n) => stagingOf(n))))
  const replaced = [...numbers(151)].reverse().filter((_, index) => outcomes[index]?._tag === 'replaced')
  t.deepEqual(replaced, ['A-150', 'A-7'])
})

onMariaDb(
  'a row that the database refuses fails alone, without those in its transaction',
  async (t, { open }) => {
    const { accountImports } = open().ports
    const tooLong = 'x'.repeat(129)
    const all = ['A', 'B', tooLong, 'C'].map((number) => stagingOf(number))
    const tags = (await answer(accountImports.stage(all))).map(({ _tag }) => _tag)
    t.deepEqual(tags, ['created', 'created', 'failed', 'created'])
    const refused = await failure(accountImports.stage([stagingOf(tooLong, '"secret payload"')]))
    t.is(refused.kind, 'unexpected')
    const logged = `${String(refused.cause)} ${refused.cause instanceof Error ? refused.cause.stack : ''}`
    t.notRegex(logged, /secret|xxx|INSERT|VALUES/)
  },
)

onMariaDb('two processes that stage and replace the same accounts cause no deadlock', async (t, { open }) => {
  const processes = [open(), open()] as const
  const counts = new Map<string, number>()
  const worker = async ({ ports }: Opened, seed: number): Promise<void> => {
    for (let round = 0; round < 40; round += 1) {
      const list = [0, 1, 2, 3, 4].map((step) => `A-${(seed * 7 + round * 3 + step * 11) % 60}`)
      await answer(ports.accountImports.stage(list.map((number) => stagingOf(number, 'x'.repeat(4000)))))
      for (const number of list) counts.set(number, (counts.get(number) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: 32 }, (_, seed) => worker(processes[seed % 2 === 0 ? 0 : 1], seed)))
  t.deepEqual(
    processes.flatMap(({ retries }) => retries).filter(({ reason }) => reason === 'deadlock'),
    [],
  )
  const found = await processes[0].knex('account_imports').select('external_account_number', 'staged_version')
  const versions = new Map(
    found.map((row) => [String(row.external_account_number), Number(row.staged_version)]),
  )
  t.deepEqual(versions, new Map([...counts].sort(([a], [b]) => (a < b ? -1 : 1))))
})

onMariaDb('a connection keeps few prepared statements, for any requests', async (t, { open }) => {
  const { knex } = open({ maxConnections: 1, maxPreparedStatements: 32 })
  for (let size = 1; size <= 120; size += 1) await knex.raw(`SELECT ${size} + ?`, [size])
  const [rows] = await knex.raw("SHOW SESSION STATUS LIKE 'Com_stmt_%'")
  const count = (name: string): number =>
    Number(
      (rows as { Variable_name: string; Value: string }[]).find((row) => row.Variable_name === name)?.Value,
    )
  t.true(count('Com_stmt_prepare') > 100)
  t.true(count('Com_stmt_prepare') - count('Com_stmt_close') <= 32)
})

onMariaDb('a locked import does not fail the stagings beside it', async (t, { open }) => {
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
})

/** Live claims as the database has them. */
const liveClaims = async ({ knex }: Opened): Promise<number> => {
  const [row] = await knex('account_imports').whereNotNull('claim_token').count({ live: '*' })
  return Number(row?.['live'])
}

/** Claims, creates or gives up, one account after the other; waits while the limit is reached. */
const processAll = async (opened: Opened, queue: string[], limit: number, seen: number[]): Promise<void> => {
  const { accountImports, unitOfWork } = opened.ports
  for (let number = queue.pop(); number !== undefined; number = queue.pop()) {
    const request = claimOf(number)
    const [outcome] = await answer(accountImports.claim([request], limit))
    if (outcome?._tag !== 'claimed') {
      queue.unshift(number)
      await setTimeout(2)
      continue
    }
    seen.push(await liveClaims(opened))
    const { key, token } = request
    if (Math.random() < 0.2) {
      await answer(accountImports.release([{ key, token, failure: { code: 'failed', at: now() } }]))
      queue.unshift(number)
    } else
      await answer(
        unitOfWork.run('ACME', (stores) =>
          stores.accountImports.create([creationOf(number, `P-${number}`, { token })]),
        ),
      )
  }
}

onEach('two processes with a limit of 4 have at most 4 live claims together', async (t, { open }) => {
  const [one, other] = [open(), open()]
  const { accountImports } = one.ports
  const queue = [...numbers(60)]
  await answer(accountImports.stage(queue.map((number) => stagingOf(number))))
  const seen: number[] = []
  const workers = numbers(8).flatMap(() => [one, other])
  await Promise.all(workers.map((worker) => processAll(worker, queue, 4, seen)))
  t.true(Math.max(...seen) <= 4, `${Math.max(...seen)} live claims`)
  t.is(await liveClaims(one), 0)
  const page = { ...keyOf(''), list: 'imported', after: undefined, limit: 100 } as const
  t.is((await answer(accountImports.page(page))).length, 60)
  const slots = await one.knex('processing_slots').orderBy('slot').select('slot', 'claim_token')
  t.deepEqual(
    slots.map(({ slot, claim_token }) => [slot, claim_token]),
    [0, 1, 2, 3].map((slot) => [slot, null]),
  )
})

onMariaDb('claims without a limit never use the slots', async (t, { open }) => {
  const { knex, ports } = open()
  await answer(ports.accountImports.stage([stagingOf('A'), stagingOf('B')]))
  const touched: string[] = []
  knex.on('query', ({ sql }: { sql: string }) => {
    if (sql.includes('processing_slots')) touched.push(sql)
  })
  const [a, b] = [claimOf('A'), claimOf('B')]
  await answer(ports.accountImports.claim([a, b]))
  await answer(ports.accountImports.release([a]))
  await answer(ports.accountImports.create([creationOf('B', 'P-1', { token: b.token })]))
  t.deepEqual(touched, [])
})

onEach('the limit undoes only the claim above it in a unit of work', async (t, { open }) => {
  const { accountImports, unitOfWork } = open().ports
  await answer(accountImports.stage([stagingOf('A'), stagingOf('B')]))
  await answer(accountImports.claim([claimOf('A')], 1))
  const outcomes = await answer(
    unitOfWork.run('ACME', async (stores): PortResult<readonly ClaimOutcome[]> => {
      const staged = await stores.accountImports.stage([stagingOf('C')])
      return E.isLeft(staged) ? staged : stores.accountImports.claim([claimOf('B')], 1)
    }),
  )
  t.deepEqual(outcomes, [{ _tag: 'over_limit' }])
  t.is((await answer(accountImports.find(keyOf('B'))))?.claim, undefined)
  t.is((await answer(accountImports.find(keyOf('C'))))?.stagedVersion, 1)
})

onEach(
  'an undo locks accounts whose texts fit into 2 MiB together, and a longer one alone',
  async (t, { open }) => {
    const opened = open()
    const { accountImports, accountUndo } = opened.ports
    const sizes = [900_000, 900_000, 900_000, 3_000_000, 10, 10]
    const names = sizes.map((_, index) => `A-${index}`)
    await answer(
      accountImports.stage(
        names.map((name, index) => stagingOf(name, JSON.stringify({ a: 'x'.repeat(sizes[index] ?? 0) }))),
      ),
    )
    await answer(accountImports.create(names.map((name) => creationOf(name))))
    const externalAccountNumbers = ['no account', ...names]
    const request = { ...keyOf(''), externalAccountNumbers, withAdditions: false, at: now() }
    const previewed = (await answer(accountUndo.canUndo(request))).map((outcome) =>
      outcome._tag === 'undoable' ? outcome : undefined,
    )
    const sent = await statementsOf(opened, async () => {
      const outcomes = await answer(accountUndo.undo({ ...request, previewed }))
      t.deepEqual(
        outcomes.map((outcome) =>
          outcome._tag === 'undoable' ? outcome.platformAccountNumber : outcome.reason,
        ),
        ['not_created', ...names.map((name) => `P-${name}`)],
      )
    })
    t.is(sent.filter((word) => word === 'COMMIT').length, 4)
  },
)
