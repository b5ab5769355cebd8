import { verify, type Break } from '@account-import/adapter-sql'
import { makeUseCases } from '@account-import/core'
import { inMemoryPorts } from '@account-import/core/in-memory'
import type { ExecutionContext } from 'ava'
import { testDatabases, type Opened, type TestDatabase } from '../sql/support/databases.js'
import { answer } from '../support/answers.js'
import { gasAccount, sample } from '../support/samples.js'
import { setUp } from '../support/set-up.js'
import { verified } from './support/breaks-of.js'

const { onEach, onMariaDb } = testDatabases()

/** Clients that stage, create and add to accounts of their own, one after the other, until they are stopped. */
const startTraffic = async ({ ports }: Opened, clients: number) => {
  const useCases = makeUseCases(inMemoryPorts(ports))
  const { organisation, supplier, team } = await setUp(useCases.operator)
  await answer(
    useCases.operator.configureSupplier({
      code: supplier,
      change: (settings) => ({ ...settings, migrationEmails: true }),
    }),
  )
  let going = true
  let created = 0
  const journey = async (number: string): Promise<void> => {
    await answer(useCases.stageAccount({ organisation, payload: gasAccount(supplier, number) }))
    await answer(
      useCases.processAccount({
        organisation,
        payload: {
          import_supplier_code: supplier,
          external_account_number: number,
          operations_team_name: team,
        },
      }),
    )
    const added = (name: string) => ({
      organisation,
      payload: { ...sample(name), import_supplier: supplier, external_account_number: number },
    })
    await answer(useCases.addNotes(added('notes.json')))
    await answer(useCases.addTransactions(added('transactions.json')))
    created += 1
  }
  const client = async (_: unknown, index: number): Promise<void> => {
    for (let count = 0; going; count += 1) await journey(`A-${count}-${index}`)
  }
  let failure: Readonly<{ cause: unknown }> | undefined
  const running = Promise.all(Array.from({ length: clients }, client))
  running.catch((cause: unknown) => {
    failure = { cause }
  })
  return {
    created: () => {
      if (failure !== undefined) throw new Error('a client failed', failure)
      return created
    },
    stop: async () => {
      going = false
      await running
    },
  }
}

const untilCreated = async (
  traffic: Awaited<ReturnType<typeof startTraffic>>,
  many: number,
  look: () => Promise<void>,
): Promise<number> => {
  let looks = 0
  for (; traffic.created() < many; looks += 1) await look()
  return looks
}

const withoutAlarm = async (t: ExecutionContext, { open }: TestDatabase): Promise<void> => {
  const traffic = await startTraffic(open(), 8)
  const { knex } = open()
  const breaks: Break[] = []
  try {
    const looks = await untilCreated(traffic, 80, async () => {
      for await (const each of verify(knex)) breaks.push(each)
    })
    t.true(looks >= 2, `${looks} times while accounts were created`)
  } finally {
    await traffic.stop()
  }
  t.deepEqual(breaks, [])
}

onEach('a live server gives no false alarm, however often it is verified', withoutAlarm)

onEach('what is created while a walk is under way does not keep it from ending', async (t, { open }) => {
  const { knex, ports } = open()
  const useCases = makeUseCases(inMemoryPorts(ports))
  const { organisation, supplier, team } = await setUp(useCases.operator)
  const create = async (number: string): Promise<void> => {
    await answer(useCases.stageAccount({ organisation, payload: gasAccount(supplier, number) }))
    const payload = {
      import_supplier_code: supplier,
      external_account_number: number,
      operations_team_name: team,
    }
    await answer(useCases.processAccount({ organisation, payload }))
    // A break for each account, so that the walk stops at each.
    await knex('accounts').update({ operations_team: 'nobody' })
  }
  for (const number of ['A-1', 'A-2', 'A-3']) await create(number)
  let told = 0
  for await (const { kind } of verify(knex)) {
    t.is(kind, 'team_unknown')
    told += 1
    if (told > 20) break
    await create(`B-${told}`)
  }
  t.is(told, 3)
})

/** How often a look at the tables suspects something that is not so: what is read again in one moment. */
onMariaDb('what does not agree is read again in one moment before it is told', async (t, { open }) => {
  const traffic = await startTraffic(open(), 8)
  const { knex } = open()
  let snapshots = 0
  knex.on('query', ({ sql }: { sql: string }) => {
    if (sql.includes('CONSISTENT SNAPSHOT')) snapshots += 1
  })
  try {
    // On a busy machine many looks may suspect nothing.
    while (snapshots === 0 && traffic.created() < 3000) await verified(knex)
  } finally {
    await traffic.stop()
  }
  t.true(snapshots > 0, 'nothing was suspected, so this test proves nothing')
})

onMariaDb(
  'a thousand accounts take few statements more than ten, and none counts rows',
  async (t, { open }) => {
    const opened = open()
    const { knex } = opened
    const statements: string[] = []
    knex.on('query', ({ sql }: { sql: string }) => statements.push(sql))
    const countFor = async (accounts: number): Promise<number> => {
      const traffic = await startTraffic(open(), 8)
      await untilCreated(traffic, accounts, () => new Promise((resolve) => setTimeout(resolve, 50)))
      await traffic.stop()
      statements.length = 0
      const { breaks, looked } = await verified(knex)
      t.deepEqual(breaks, [])
      t.true(looked.accounts >= accounts)
      return statements.length
    }
    const few = await countFor(10)
    const many = await countFor(150)
    t.true(many - few < 150, `${few} and ${many} statements`)
    t.deepEqual(
      statements.filter((sql) => /\bOFFSET\b/i.test(sql)),
      [],
    )
  },
)
