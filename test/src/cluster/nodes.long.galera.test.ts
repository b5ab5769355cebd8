import { migrate, pendingMigrations } from '@account-import/adapter-sql'
import { plusSeconds } from '@account-import/core/testing'
import test from 'ava'
import { setTimeout } from 'node:timers/promises'
import { counted } from '../races/counted.js'
import { startGalera, type Galera } from '../servers/index.js'
import { answerClaimOf } from '../sql/support/answer-claim.js'
import { withAccount, type Service } from '../sql/support/created-account.js'
import { claimOf, keyOf, now, stagingOf } from '../sql/support/imports.js'
import { answer } from '../support/answers.js'
import { itemsOf } from '../support/items-of.js'
import { gasAccount } from '../support/samples.js'
import { addition } from './nodes/addition.js'
import { migratedNodes, openedNodes, outcome, useCasesOn, type Opened } from './nodes/opened-nodes.js'

let galera: Galera

test.before('start Galera', async () => {
  galera = await startGalera(3)
})
test.after.always('stop Galera', () => galera?.stop())

/** Everything that the account A-1 has, each item by its kind and name. */
const itemsOfAccount = async ({ ports }: Opened, { organisation, supplier }: Service) => {
  const key = { organisation, importSupplier: supplier, externalAccountNumber: 'A-1' }
  const account = await answer(ports.accounts.find(key))
  if (account === undefined) throw new Error('the account was created')
  return itemsOf(account.details)
}

test.serial('what two nodes add to one account at the same time is all added, each once', async (t) => {
  const [first, second] = await migratedNodes(t, galera)
  const service = await withAccount(first.ports, { notes: [] })
  const before = await itemsOfAccount(first, service)
  const services = [first, second].map((node) => ({ ...service, useCases: useCasesOn(node) }))
  const requests = 240
  const outcomes: string[] = []
  const items: string[] = []
  let next = 0
  const client = async (place: number): Promise<void> => {
    while (next < requests) {
      const { item, send } = addition(services[place % 2] as (typeof services)[number], next++)
      items.push(item)
      outcomes.push(await outcome(send))
    }
  }
  await Promise.all(Array.from({ length: 16 }, (_, place) => client(place)))
  t.deepEqual(counted(outcomes), { done: requests })
  t.deepEqual((await itemsOfAccount(second, service)).toSorted(), [...before, ...items].toSorted())
})

test.serial('of claims on one request through three nodes at the same time one is taken', async (t) => {
  const nodes = await migratedNodes(t, galera)
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
  const [first, second] = await migratedNodes(t, galera)
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
      const all = await openedNodes(t, galera)
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
    const [first, second] = await migratedNodes(t, galera)
    const service = await withAccount(first.ports, { notes: [] })
    const { organisation, supplier, team } = service
    const useCases = useCasesOn(second)
    const before = await itemsOfAccount(first, service)
    const outcomes: string[] = []
    const done: string[] = []
    const sent: string[] = []
    const acknowledged: string[] = []
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
        const { item, send } = addition({ ...service, useCases }, worker * 100_000 + round)
        sent.push(item)
        const added = await outcome(send)
        outcomes.push(added)
        if (added === 'done') acknowledged.push(item)
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
    t.true(outcomes.length > outcomes.filter((each) => each === 'done').length, 'the node left in vain')
    const accounts = (await first
      .knex('accounts')
      .where({ organisation })
      .pluck('external_account_number')) as readonly string[]
    t.is(new Set(accounts).size, accounts.length)
    t.deepEqual(
      done.filter((number) => !accounts.includes(number)),
      [],
    )
    const items = await itemsOfAccount(first, service)
    t.is(new Set(items).size, items.length)
    t.deepEqual(
      acknowledged.filter((item) => !items.includes(item)),
      [],
    )
    t.deepEqual(
      items.filter((item) => !before.includes(item) && !sent.includes(item)),
      [],
    )
  },
)
