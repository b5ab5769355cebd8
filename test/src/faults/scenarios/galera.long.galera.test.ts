import { paymentVendors, sandboxVendor } from '@account-import/adapter-payment-vendor'
import {
  assertTakesWrites,
  connectSql,
  createSqlPorts,
  migrate,
  migrationStatus,
} from '@account-import/adapter-sql'
import type { PortFailure, StorePorts } from '@account-import/core'
import { type Either, makeUseCases } from '@account-import/core/fp'
import { plusSeconds } from '@account-import/core/testing'
import { inMemoryPorts } from '@account-import/core/in-memory'
import test, { type ExecutionContext } from 'ava'
import { setTimeout } from 'node:timers/promises'
import { startGalera, until, type Galera } from '../../servers/index.js'
import { answerClaimOf } from '../../sql/support/answer-claim.js'
import { withAccount, type Service } from '../../sql/support/created-account.js'
import { claimOf, creationOf, keyOf, now, stagingOf } from '../../sql/support/imports.js'
import { answer } from '../../support/answers.js'
import { itemsOf } from '../../support/items-of.js'
import { addByUseCases, sentAddition } from '../loads/additions.js'
import { counted } from '../../support/counted.js'

let galera: Galera
let migrated: string

/** Statements that change tables stop the whole cluster, so one database is migrated for all tests. */
test.before('start Galera', async () => {
  galera = await startGalera()
  migrated = await galera.createDatabase()
  const [first] = galera.nodes
  if (first === undefined) throw new Error('there are three')
  const knex = connectSql(first.url(migrated))
  await migrate(knex)
  await knex.destroy()
})
test.after.always('stop Galera', () => galera?.stop())

type Opened = Readonly<{ knex: ReturnType<typeof connectSql>; ports: StorePorts }>

const opened = (t: ExecutionContext, url: string): Opened => {
  const knex = connectSql(url)
  t.teardown(() => knex.destroy())
  return { knex, ports: createSqlPorts(knex) }
}

type OpenedNodes = readonly [Opened, Opened, Opened]

/** A server of ours on each of the three nodes, in this database; closed when the test ends. */
const openedNodes = (t: ExecutionContext, database: string): OpenedNodes => {
  const [first, second, third] = galera.nodes.map((node) => opened(t, node.url(database)))
  if (first === undefined || second === undefined || third === undefined) throw new Error('there are three')
  return [first, second, third]
}

const migratedNodes = (t: ExecutionContext): OpenedNodes => openedNodes(t, migrated)

const useCasesOn = ({ ports }: Opened) =>
  makeUseCases(inMemoryPorts({ ...ports, paymentVendors: paymentVendors([sandboxVendor()]) }))

/** `done`, or the error. */
const outcome = async (call: Promise<Either<unknown, unknown>>): Promise<string> => {
  const result = await call
  if (result._tag === 'Right') return 'done'
  const { _tag, kind, cause } = result.left as PortFailure
  return `${_tag} ${kind} ${String(cause)}`
}

const kinds = ['note', 'transaction', 'statement', 'instruction'] as const
const kindNames = ['a note', 'a transaction', 'a statement', 'a payment instruction'] as const

const accountOf = ({ organisation, supplier }: Service) => ({
  organisation,
  importSupplier: supplier,
  externalAccountNumber: 'A-1',
})

/** A request that adds one item to the account A-1; the kinds take turns. */
const addition = (node: Opened, service: Service, index: number) => {
  const kind = kinds[index % kinds.length] ?? 'note'
  const names = [`sandbox-${index}`]
  const { items } = sentAddition(accountOf(service), kind, names)
  return { items, send: addByUseCases[kind](useCasesOn(node), accountOf(service), names) }
}

/** All items of the account A-1, each by its kind and name. */
const itemsOfAccount = async ({ ports }: Opened, service: Service) => {
  const account = await answer(ports.accounts.find(accountOf(service)))
  if (account === undefined) throw new Error('the account was created')
  return itemsOf(account.details)
}

test.serial('items that two nodes add to one account concurrently are all added, each once', async (t) => {
  const [first, second] = migratedNodes(t)
  const service = await withAccount(first.ports, { notes: [] })
  const before = await itemsOfAccount(first, service)
  const requests = 100
  const outcomes: string[] = []
  const items: string[] = []
  let next = 0
  const client = async (place: number): Promise<void> => {
    while (next < requests) {
      const added = addition(place % 2 === 0 ? first : second, service, next++)
      items.push(...added.items)
      outcomes.push(await outcome(added.send))
    }
  }
  await Promise.all(Array.from({ length: 8 }, (_, place) => client(place)))
  t.deepEqual(counted(outcomes), { done: requests })
  t.deepEqual((await itemsOfAccount(second, service)).toSorted(), [...before, ...items].toSorted())
})

test.serial(
  'one of concurrent creations of one account through three nodes creates it, while nodes stage it again',
  async (t) => {
    const nodes = migratedNodes(t)
    const numbers = Array.from({ length: 30 }, (_, index) => `created-${index}`)
    await answer(nodes[0].ports.accountImports.stage(numbers.map((number) => stagingOf(number))))
    for (const number of numbers) {
      const restaged = nodes.map(({ ports }) => answer(ports.accountImports.stage([stagingOf(number)])))
      const outcomes = nodes.map(async ({ ports }, node) =>
        answer(ports.accountImports.create([creationOf(number, `P-${number}-${node}`)])),
      )
      const tags = (await Promise.all(outcomes)).flat().map(({ _tag }) => _tag)
      await Promise.all(restaged)
      t.deepEqual(tags.toSorted(), ['already_imported', 'already_imported', 'created'], number)
      for (const { ports } of nodes) {
        const found = await answer(ports.accountImports.find(keyOf(number)))
        t.is(found?.created?.platformAccountNumber, `P-${number}-${tags.indexOf('created')}`)
        t.is(found?.created?.stagedVersion, found?.stagedVersion)
      }
    }
  },
)

test.serial('one of concurrent claims on one request through three nodes is taken', async (t) => {
  const nodes = migratedNodes(t)
  const outcomes: string[] = []
  for (const begun of [now(), plusSeconds(now(), 100)])
    for (let index = 0; index < 15; index += 1) {
      const claims = [...nodes, ...nodes].map(({ ports }) =>
        answer(ports.idempotencyRecords.claim(answerClaimOf(`R-${index}`, begun))),
      )
      outcomes.push(
        (await Promise.all(claims))
          .map(({ _tag }) => _tag)
          .sort()
          .join(),
      )
    }
  const one = ['claimed', ...Array<string>(5).fill('in_progress')].join()
  t.deepEqual(counted(outcomes), { [one]: 30 })
})

test.serial(
  'data that one node has acknowledged is visible on the next one, at any replication delay',
  async (t) => {
    const [first, second] = migratedNodes(t)
    // No change of the other nodes is applied while this lock is held.
    const holder = await second.knex.client.acquireRawConnection()
    const ask = (sql: string) => second.knex.client._query(holder, { sql })
    await ask('FLUSH TABLES WITH READ LOCK')
    try {
      await answer(first.ports.accountImports.stage([stagingOf('A-1', '{"a":1}')]))
      const found = answer(second.ports.accountImports.staged([keyOf('A-1')]))
      t.is(await Promise.race([found, setTimeout(500, 'waits')]), 'waits' as never)
      await ask('UNLOCK TABLES')
      t.deepEqual(await found, [{ version: 1, payload: '{"a":1}' }])
    } finally {
      await ask('UNLOCK TABLES')
      holder.destroy()
    }
    // A claim, which is an update, finds the staged row as well.
    const outcomes: string[] = []
    for (let index = 0; index < 40; index += 1) {
      await answer(first.ports.accountImports.stage([stagingOf(`B-${index}`)]))
      const [claimed] = await answer(second.ports.accountImports.claim([claimOf(`B-${index}`)], undefined))
      outcomes.push(String(claimed?._tag))
    }
    t.deepEqual(counted(outcomes), { claimed: 40 })
  },
)

test.serial('one of several nodes that migrate concurrently does it, and it is recorded once', async (t) => {
  for (let round = 0; round < 2; round += 1) {
    const all = openedNodes(t, await galera.createDatabase())
    const outcomes = await Promise.allSettled(all.map(({ knex }) => migrate(knex)))
    const reasons = outcomes.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []))
    t.deepEqual(
      reasons.filter((reason) => !reason.startsWith('MigrationLocked')),
      [],
    )
    t.true(outcomes.some(({ status }) => status === 'fulfilled'))
    const names: unknown = await all[2].knex('account_import_migrations').orderBy('id').pluck('name')
    t.deepEqual(names, [...new Set(names as string[])])
    t.deepEqual((await migrationStatus(all[1].knex)).pending, [])
  }
})

type Query = Readonly<{ sql: string }>
type Client = { _query(connection: unknown, query: Query): Promise<unknown> }

/** Holds the first caller until it is released. */
const gate = (t: ExecutionContext) => {
  let isHeld = false
  let letGo = (): void => undefined
  const gone = new Promise<void>((resolve) => (letGo = resolve))
  t.teardown(() => letGo())
  return {
    pass: async (): Promise<void> => {
      if (isHeld) return
      isHeld = true
      await gone
    },
    held: () => until(async () => isHeld, 'somebody is held'),
    letGo: () => letGo(),
  }
}

type Gate = ReturnType<typeof gate>

/** Commits of this server, but those of units of work, pass the gate. */
const holdCommits = ({ knex }: Opened, { pass }: Gate): void => {
  const client = knex.client as Client
  const send = client._query.bind(client)
  client._query = async (connection, query) => {
    if (query.sql.startsWith('COMMIT')) await pass()
    return send(connection, query)
  }
}

/** An addition passes the gate after its last statement, before it commits. */
const holdAdditions = ({ ports, ...opened }: Opened, { pass }: Gate): Opened => {
  const unitOfWork: StorePorts['unitOfWork'] = {
    run: (organisation, work) =>
      ports.unitOfWork.run(organisation, (stores) =>
        work({
          ...stores,
          auditTrail: {
            record: async (entries) => {
              const recorded = await stores.auditTrail.record(entries)
              if (recorded._tag === 'Right') await pass()
              return recorded
            },
          },
        }),
      ),
  }
  return { ...opened, ports: { ...ports, unitOfWork } }
}

/** Items of the account that have content after the erasure. */
const left = async ({ knex }: Opened, organisation: string): Promise<number> => {
  const contents = (await knex('account_items').where({ organisation }).pluck('content')) as string[]
  return contents.filter((content) => !content.includes('"transaction_id":"erased"')).length
}

const nothing = 0

/** Two nodes, of which the first adds to an account that the second erases. */
const begun = async (t: ExecutionContext) => {
  const [first, second] = migratedNodes(t)
  const service = await withAccount(first.ports, { notes: [] })
  return {
    first,
    second,
    add: (node: Opened, kind: number) => outcome(addition(node, service, kind).send),
    erase: async () => (await answer(second.ports.personalData.erase(accountOf(service), now())))._tag,
    left: () => left(second, service.organisation),
  }
}

for (const [kind, what] of kindNames.entries()) {
  test.serial(
    `${what} that one node adds during the erasure of the account on another is erased too`,
    async (t) => {
      const { first, second, add, erase, left } = await begun(t)
      const commits = gate(t)
      holdCommits(second, commits)
      const erased = erase()
      await commits.held()
      t.is(await add(first, kind), 'done')
      commits.letGo()
      t.is(await erased, 'erased')
      t.deepEqual(await left(), nothing)
    },
  )

  test.serial(`${what} is refused after another node erased the account`, async (t) => {
    const { first, add, erase, left } = await begun(t)
    const additions = gate(t)
    const added = add(holdAdditions(first, additions), kind)
    await additions.held()
    t.is(await erase(), 'erased')
    additions.letGo()
    t.regex(await added, /^AccountNotFound/)
    t.deepEqual(await left(), nothing)
  })
}

test.serial(
  'a node that is cut off reports that it is not in its cluster, and another one is used',
  async (t) => {
    const database = await galera.createDatabase()
    const [first, second] = galera.nodes
    if (first === undefined || second === undefined) throw new Error('there are three')
    const all = galera.nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')
    const service = opened(t, `mysql://root@${all}/${database}`)
    const alone = opened(t, first.url(database))
    const other = opened(t, second.url(database))
    await migrate(service.knex)
    await answer(service.ports.accountImports.stage([stagingOf('A-1')]))
    await assertTakesWrites(alone.knex)

    await first.isolate()
    try {
      await until(async () => {
        const refused: unknown = await assertTakesWrites(alone.knex).catch((cause: unknown) => cause)
        return refused instanceof Error && refused.message.startsWith('DATABASE_NOT_IN_CLUSTER')
      }, 'the node that is cut off reports it')
      const begun = performance.now()
      await until(async () => {
        const staged = await service.ports.accountImports.stage([stagingOf('A-2')])
        if (staged._tag === 'Left' && staged.left.kind !== 'unavailable') throw new Error('not unavailable')
        return staged._tag === 'Right'
      }, 'the service goes on')
      t.log(`after ${Math.round(performance.now() - begun)} ms`)
      t.true(performance.now() - begun < 5000)
      t.is((await other.knex('account_imports').pluck('external_account_number')).length, 2)
    } finally {
      await first.rejoin()
    }
    await galera.whole()
    await assertTakesWrites(alone.knex)
  },
)
