import { connectSql, createSqlPorts, migrate, pendingMigrations } from '@account-import/adapter-sql'
import { makeUseCases, type PortFailure, type StorePorts } from '@account-import/core'
import { inMemoryPorts } from '@account-import/core/in-memory'
import type { TaskEither } from '@account-import/core/adapter-kit'
import { plusSeconds } from '@account-import/core/testing'
import test, { type ExecutionContext } from 'ava'
import { setTimeout } from 'node:timers/promises'
import { counted } from '../races/counted.js'
import { startGalera, type Galera, type GaleraNode } from '../servers/index.js'
import { answerClaimOf } from '../sql/support/answer-claim.js'
import { withAccount, type Service } from '../sql/support/created-account.js'
import { claimOf, keyOf, now, stagingOf } from '../sql/support/imports.js'
import { answer } from '../support/answers.js'
import { gasAccount } from '../support/samples.js'

type Knex = ReturnType<typeof connectSql>

/** One server of ours on one node. */
type Opened = Readonly<{ node: GaleraNode; knex: Knex; ports: StorePorts }>

let galera: Galera

test.before('start Galera', async () => {
  galera = await startGalera(3)
})
test.after.always('stop Galera', () => galera?.stop())

const opened = async (t: ExecutionContext): Promise<readonly [Opened, Opened, Opened]> => {
  const database = await galera.createDatabase()
  const [first, second, third] = galera.nodes.map((node): Opened => {
    const knex = connectSql(node.url(database))
    t.teardown(() => knex.destroy())
    return { node, knex, ports: createSqlPorts(knex) }
  })
  if (first === undefined || second === undefined || third === undefined) throw new Error('there are three')
  return [first, second, third]
}

const migrated = async (t: ExecutionContext): Promise<readonly [Opened, Opened, Opened]> => {
  const all = await opened(t)
  await migrate(all[0].knex)
  return all
}

/** `done`, or what it failed with. */
const outcome = async (call: TaskEither<unknown, unknown>): Promise<string> => {
  const result = await call()
  if (result._tag === 'Right') return 'done'
  const { _tag, kind, cause } = result.left as PortFailure
  return `${_tag} ${kind} ${String(cause)}`
}

/** Requests that add something of their own to the account A-1, of every kind in turns. */
const addition = (useCases: Service['useCases'], { organisation, supplier }: Service, index: number) => {
  const account = { import_supplier: supplier, external_account_number: 'A-1' }
  const transaction = {
    transaction_id: `T-${index}`,
    transaction_date: '2025-06-01',
    amount: 1,
    type: 'PAYMENT',
  }
  const statement = {
    bill_period_from_date: '2024-01-01',
    bill_period_to_date: '2024-01-31',
    statement_id: `S-${index}`,
  }
  const kinds: readonly (() => TaskEither<unknown, unknown>)[] = [
    () => useCases.addNotes({ organisation, payload: { ...account, notes: [{ body: `note ${index}` }] } }),
    () =>
      useCases.addTransactions({
        organisation,
        payload: { ...account, transactions: [transaction] },
        checkPreviouslyAdded: true,
      }),
    () =>
      useCases.addHistoricalStatements({ organisation, payload: { ...account, statements: [statement] } }),
  ]
  return (kinds[index % kinds.length] as (typeof kinds)[number])()
}

test.serial('what two nodes add to one account at the same time is all added, each once', async (t) => {
  const [first, second] = await migrated(t)
  const service = await withAccount(first.ports, { notes: [] })
  const services = [service.useCases, makeUseCases(inMemoryPorts(second.ports))]
  const requests = 240
  const outcomes: string[] = []
  let next = 0
  const client = async (): Promise<void> => {
    while (next < requests) {
      const index = next++
      outcomes.push(
        await outcome(addition(services[Math.floor(index / 3) % 2] as Service['useCases'], service, index)),
      )
    }
  }
  await Promise.all(Array.from({ length: 16 }, client))
  t.deepEqual(counted(outcomes), { done: requests })
  const account = await answer(
    first.ports.accounts.find({
      organisation: service.organisation,
      importSupplier: service.supplier,
      externalAccountNumber: 'A-1',
    }),
  )
  const notes = account?.details.notes.map(({ body }) => body) ?? []
  t.deepEqual([notes.length, new Set(notes).size], [requests / 3, requests / 3])
  const [{ count } = { count: 0 }] = (await second
    .knex('transactions')
    .where('transaction_id', 'like', 'T-%')
    .count({ count: '*' })) as readonly { count: number }[]
  t.is(Number(count), requests / 3)
})

test.serial('of claims on one request through three nodes at the same time one is taken', async (t) => {
  const nodes = await migrated(t)
  const outcomes: string[] = []
  for (const begun of [now(), plusSeconds(now(), 100)])
    for (let index = 0; index < 50; index += 1) {
      const claims = [...nodes, ...nodes].map(({ ports }) =>
        answer(ports.keptAnswers.claim(answerClaimOf(`R-${index}`, begun))),
      )
      outcomes.push(
        (await Promise.all(claims))
          .map(({ _tag }) => _tag)
          .sort()
          .join(),
      )
    }
  const one = ['claimed', ...Array<string>(5).fill('in_progress')].join()
  t.deepEqual(counted(outcomes), { [one]: 100 })
})

test.serial('what one node has answered, the next one knows, however far behind it is', async (t) => {
  const [first, second] = await migrated(t)
  // Nothing that comes from the others is applied while this lock is held.
  const holder = await second.knex.client.acquireRawConnection()
  const ask = (sql: string) => second.knex.client._query(holder, { sql })
  await ask('FLUSH TABLES WITH READ LOCK')
  try {
    await answer(first.ports.accountImports.stage([stagingOf('A-1', '{"a":1}')]))
    const found = answer(second.ports.accountImports.staged(keyOf('A-1')))
    t.is(await Promise.race([found, setTimeout(500, 'waits')]), 'waits' as never)
    await ask('UNLOCK TABLES')
    t.deepEqual(await found, { version: 1, payload: '{"a":1}' })
  } finally {
    await ask('UNLOCK TABLES')
    holder.destroy()
  }
  // A claim, which is an update, finds what has been staged as well.
  const outcomes: string[] = []
  for (let index = 0; index < 150; index += 1) {
    await answer(first.ports.accountImports.stage([stagingOf(`B-${index}`)]))
    const [claimed] = await answer(second.ports.accountImports.claim([claimOf(`B-${index}`)], undefined))
    outcomes.push(String(claimed?._tag))
  }
  t.deepEqual(counted(outcomes), { claimed: 150 })
})

test.serial(
  'of several nodes that migrate at the same time one does it, and the books say it once',
  async (t) => {
    for (let round = 0; round < 4; round += 1) {
      const all = await opened(t)
      const outcomes = await Promise.allSettled(all.map(({ knex }) => migrate(knex)))
      const reasons = outcomes.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []))
      t.deepEqual(
        reasons.filter((reason) => !reason.startsWith('MigrationLocked')),
        [],
      )
      t.true(outcomes.some(({ status }) => status === 'fulfilled'))
      const names: unknown = await all[2].knex('account_import_migrations').orderBy('id').pluck('name')
      t.deepEqual(names, [...new Set(names as string[])])
      t.deepEqual(await pendingMigrations(all[1].knex), [])
    }
  },
)

test.serial(
  'commits that were under way when a node left are unavailable, and done once or not at all',
  async (t) => {
    const [first, second] = await migrated(t)
    const service = await withAccount(first.ports, { notes: [] })
    const { organisation, supplier, team } = service
    const useCases = makeUseCases(inMemoryPorts(second.ports))
    const outcomes: string[] = []
    const done: string[] = []
    let going = true
    const client = async (worker: number): Promise<void> => {
      for (let round = 0; going; round += 1) {
        const number = `C-${worker}-${round}`
        const staging = await outcome(
          useCases.stageAccount({ organisation, payload: gasAccount(supplier, number) }),
        )
        outcomes.push(staging)
        if (staging === 'done') {
          const created = await outcome(
            useCases.processAccount({
              organisation,
              payload: {
                external_account_number: number,
                import_supplier_code: supplier,
                operations_team_name: team,
              },
            }),
          )
          outcomes.push(created)
          if (created === 'done') done.push(number)
        }
        outcomes.push(await outcome(addition(useCases, service, worker * 100_000 + round)))
      }
    }
    const clients = Array.from({ length: 12 }, (_, worker) => client(worker))
    for (let round = 0; round < 2; round += 1) {
      await setTimeout(1500)
      await second.node.isolate()
      await setTimeout(3500)
      await second.node.rejoin()
      await galera.whole()
    }
    going = false
    await Promise.all(clients)
    t.log(JSON.stringify(counted(outcomes)))
    const unexpected = outcomes.filter(
      (each) => each !== 'done' && !each.startsWith('PortFailure unavailable'),
    )
    t.deepEqual(counted(unexpected), {})
    t.true(outcomes.length > done.length)
    const accounts = (await first
      .knex('accounts')
      .where({ organisation })
      .pluck('external_account_number')) as readonly string[]
    t.is(new Set(accounts).size, accounts.length)
    t.deepEqual(
      done.filter((number) => !accounts.includes(number)),
      [],
    )
  },
)
