import { DatabaseError } from '@account-import/adapter-sql'
import type { CreationOutcome, StageOutcome, Staging } from '@account-import/core'
import { E, makeUseCases } from '@account-import/core/fp'
import { inMemoryPorts } from '@account-import/core/in-memory'
import { answer, failure } from '../support/answers.js'
import { gasAccount } from '../support/samples.js'
import { setUp } from '../support/set-up.js'
import { type Opened, testDatabases } from './support/databases.js'
import { creationOf, keyOf, stagingOf } from './support/imports.js'

const { onEach, onServers, onMariaDb } = testDatabases()

/** Repeats the operation until it is stopped or returns another outcome than staged. */
const stageOn = async (
  stage: () => Promise<string>,
  isOver: () => boolean,
  staged: readonly string[],
): Promise<Readonly<{ count: number; last: string }>> => {
  for (let count = 0; ; count += 1) {
    const last = await stage()
    if (!staged.includes(last) || isOver()) return { count, last }
  }
}

const clients = Array.from({ length: 11 }, (_, index) => index)

const warnings: NonNullable<Staging['warnings']> = [
  { detail: 'This field is not known.', code: 'unknown_field', attr: 'colour' },
]

onEach(
  'the warnings of a staging are those of its creation, also if that is repeated',
  async (t, { open }) => {
    const { accountImports } = open().ports
    await answer(accountImports.stage([{ ...stagingOf('A-1'), warnings }]))
    for (const validatedUnder of [undefined, 'rules 2'])
      t.deepEqual(await answer(accountImports.create([creationOf('A-1', 'P-1', { validatedUnder })])), [
        { _tag: 'needs_validation' },
      ])
    for (let repeated = 0; repeated < 2; repeated += 1)
      t.deepEqual(await answer(accountImports.create([creationOf('A-1', 'P-1')])), [
        { _tag: 'created', warnings },
      ])
  },
)

onEach(
  'data is judged again if its warnings are long, or are of a staging that an earlier server replaced',
  async (t, { open }) => {
    const { ports, knex } = open()
    const long = Array.from({ length: 200 }, () => warnings).flat()
    await answer(ports.accountImports.stage([{ ...stagingOf('A-1'), warnings: long }]))
    await answer(ports.accountImports.stage([{ ...stagingOf('A-2'), warnings }]))
    await knex('account_imports').where({ external_account_number: 'A-2' }).update({ staging_id: 'other' })
    const creations = ['A-1', 'A-2'].map((number) => creationOf(number))
    t.deepEqual(await answer(ports.accountImports.create(creations)), [
      { _tag: 'needs_validation' },
      { _tag: 'needs_validation' },
    ])
  },
)

for (const [about, changes] of [
  ['found valid when it is staged', {}],
  ['valid with warnings', { unknown_field: 1 }],
] as const)
  onEach(
    `one request creates an account while eleven clients stage it on two servers, from data that is ${about}`,
    async (t, { open }) => {
      const opened = [open(), open()] as const
      const services = opened.map(({ ports }) => makeUseCases(inMemoryPorts(ports))) as [
        ReturnType<typeof makeUseCases>,
        ReturnType<typeof makeUseCases>,
      ]
      const { organisation, supplier, team } = await setUp(services[0].operator)
      const key = { organisation, importSupplier: supplier, externalAccountNumber: 'A-1' }
      const stage = async (index: number): Promise<string> => {
        const payload = { ...gasAccount(supplier, 'A-1'), ...changes }
        const outcome = await (services[index % 2] ?? services[0]).stageAccount({ organisation, payload })
        return E.isRight(outcome) ? outcome.right.outcome : outcome.left._tag
      }
      t.is(await stage(0), 'created')
      let isOver = false
      const loops = clients.map((index) =>
        stageOn(
          () => stage(index),
          () => isOver,
          ['created', 'replaced'],
        ),
      )
      const request = {
        external_account_number: 'A-1',
        import_supplier_code: supplier,
        operations_team_name: team,
      }
      while (((await answer(opened[0].ports.accountImports.find(key)))?.stagedVersion ?? 0) < 20) continue
      const processed = await services[1].processAccount({ organisation, payload: request })
      isOver = true
      const ends = await Promise.all(loops)
      t.true(E.isRight(processed), JSON.stringify(processed))
      const found = await answer(opened[0].ports.accountImports.find(key))
      t.is(found?.created?.stagedVersion, found?.stagedVersion)
      t.true(ends.every(({ last }) => last === 'replaced' || last === 'AccountAlreadyImported'))
      t.true(ends.some(({ last }) => last === 'AccountAlreadyImported'))
      t.is(found?.attempts, 1)
    },
  )

const numbers = ['A', 'B', 'C', 'D'] as const

const stagedWith = (number: string, platformAccountNumber: string): Staging => ({
  ...stagingOf(number),
  creation: { platformAccountNumber, operationsTeam: 'Team' },
})

const tagsOf = (outcomes: readonly (CreationOutcome | StageOutcome)[]): readonly string[] =>
  outcomes.map(({ _tag }) => _tag)

onEach('a creation with the number of another account fails alone', async (t, { open }) => {
  const { accountImports } = open().ports
  await answer(accountImports.stage([...numbers, 'taken'].map((number) => stagingOf(number))))
  await answer(accountImports.create([creationOf('taken', 'P-taken')]))
  const creations = numbers.map((number) => creationOf(number, number === 'C' ? 'P-taken' : `P-${number}`))
  t.deepEqual(tagsOf(await answer(accountImports.create(creations))), [
    'created',
    'created',
    'failed',
    'created',
  ])
  t.is((await failure(accountImports.create(creations.slice(2, 3)))).kind, 'unexpected')
  t.is((await answer(accountImports.find(keyOf('C'))))?.created, undefined)
  t.is((await answer(accountImports.find(keyOf('taken'))))?.created?.platformAccountNumber, 'P-taken')
})

onEach(
  'a staging with creation under the number of another account fails alone, and stages nothing',
  async (t, { open }) => {
    const { accountImports } = open().ports
    await answer(accountImports.stage([stagingOf('D')]))
    await answer(accountImports.stage([stagedWith('taken', 'P-taken')]))
    const stagings = numbers.map((number) =>
      stagedWith(number, number === 'C' || number === 'D' ? 'P-taken' : `P-${number}`),
    )
    t.deepEqual(tagsOf(await answer(accountImports.stage(stagings))), [
      'created',
      'created',
      'failed',
      'failed',
    ])
    t.is(await answer(accountImports.find(keyOf('C'))), undefined)
    t.is((await answer(accountImports.find(keyOf('D'))))?.stagedVersion, 1)
    t.is((await answer(accountImports.find(keyOf('A'))))?.created?.platformAccountNumber, 'P-A')
  },
)

type QueryClient = { _query(connection: unknown, query: Readonly<{ sql: string }>): Promise<unknown> }

/** The next change succeeds, and is answered with the error. */
const loseAnswerOfChange = ({ knex }: Opened, error: DatabaseError): void => {
  const client = knex.client as QueryClient
  const send = client._query.bind(client)
  client._query = async (connection, query) => {
    const response = await send(connection, query)
    if (!query.sql.startsWith('UPDATE')) return response
    client._query = send
    throw error
  }
}

onServers(
  'accounts whose creation succeeded and was reported as a deadlock are created once each',
  async (t, { open }) => {
    const opened = open()
    const { accountImports } = opened.ports
    await answer(accountImports.stage(numbers.map((number) => stagingOf(number))))
    loseAnswerOfChange(
      opened,
      new DatabaseError({ code: 'ER_LOCK_DEADLOCK', errno: 1213, message: 'planted' }),
    )
    const outcomes = await answer(accountImports.create(numbers.map((number) => creationOf(number))))
    t.deepEqual(
      tagsOf(outcomes),
      numbers.map(() => 'created'),
    )
    t.deepEqual(opened.retries, [{ reason: 'deadlock', attempt: 1 }])
    t.is((await answer(accountImports.find(keyOf('A'))))?.attempts, 1)
    const events = await answer(opened.ports.auditTrail.events({ organisation: 'ACME' }, undefined, 1000))
    t.is(events.filter(({ entry }) => entry.what === 'created').length, numbers.length)
  },
)

onServers(
  'an account whose creation succeeded on a broken connection is created again for the same call',
  async (t, { open }) => {
    const opened = open()
    const { accountImports } = opened.ports
    await answer(accountImports.stage([stagingOf('A')]))
    const lost = new DatabaseError({ code: 'PROTOCOL_CONNECTION_LOST', message: 'planted', fatal: true })
    loseAnswerOfChange(opened, lost)
    const creation = creationOf('A')
    t.is((await failure(accountImports.create([creation]))).kind, 'unavailable')
    t.deepEqual(await answer(accountImports.create([creation])), [{ _tag: 'created' }])
    t.deepEqual(await answer(accountImports.create([creationOf('A', 'P-other')])), [
      { _tag: 'already_imported', platformAccountNumber: 'P-A' },
    ])
  },
)

onMariaDb(
  'two processes that stage and create the same accounts concurrently cause no deadlock',
  async (t, { open }) => {
    const processes = [open(), open()] as const
    const all = Array.from({ length: 120 }, (_, index) => `A-${index}`)
    const work = async ({ ports }: Opened, seed: number): Promise<number> => {
      let count = 0
      for (let from = 0; from < all.length; from += 12) {
        const list = all.slice(from, from + 12)
        if (seed % 2 === 0) list.reverse()
        if (seed % 3 === 0) await answer(ports.accountImports.stage(list.map((number) => stagingOf(number))))
        const outcomes = await answer(
          ports.accountImports.create(list.map((number) => creationOf(number, `P-${number}-${seed}`))),
        )
        count += tagsOf(outcomes).filter((tag) => tag === 'created').length
      }
      return count
    }
    await answer(processes[0].ports.accountImports.stage(all.map((number) => stagingOf(number))))
    const counts = await Promise.all(
      Array.from({ length: 12 }, (_, seed) => work(processes[seed % 2 === 0 ? 0 : 1], seed)),
    )
    t.is(
      counts.reduce((sum, count) => sum + count),
      all.length,
    )
    t.deepEqual(
      processes.flatMap(({ retries }) => retries).filter(({ reason }) => reason === 'deadlock'),
      [],
    )
  },
)

onMariaDb(
  'two processes that stage and create new accounts in one change create each, in any order of their numbers',
  async (t, { open }) => {
    const processes = [open(), open()] as const
    const work = async ({ ports }: Opened, seed: number): Promise<void> => {
      for (let from = 0; from < 40; from += 10) {
        const stagings = Array.from({ length: 10 }, (_, index) =>
          stagedWith(
            `A-${(from + index) * 8 + seed}`,
            `P-${((from + index) * 7919 + seed * 104729) % 99991}`,
          ),
        )
        const outcomes = await answer(ports.accountImports.stage(stagings))
        t.true(tagsOf(outcomes).every((tag) => tag === 'created'))
      }
    }
    await Promise.all(Array.from({ length: 8 }, (_, seed) => work(processes[seed % 2 === 0 ? 0 : 1], seed)))
    const created = await processes[0].knex('account_imports').where({ state: 'created' }).select('attempts')
    t.is(created.length, 320)
  },
)
