import { createClient, type Client } from '@account-import/client'
import { answer } from '../support/answers.js'
import { failureOf, inShort, successOf } from '../support/results.js'
import { startMariaDb, until, type MariaDb } from '../servers/index.js'
import { startServerProcess } from '../support/server-process.js'
import type { SharedDatabase } from '../support/shared-database.js'
import test, { type ExecutionContext } from 'ava'
import { setTimeout } from 'node:timers/promises'
import { counted } from './counted.js'
import { twoServers } from './two-servers.js'

let server: MariaDb

test.before('start MariaDB', async () => {
  server = await startMariaDb()
})
test.after.always('stop MariaDB', () => server.stop())

const once = { retrySeconds: 0 }

const processing = ({ supplier, team }: SharedDatabase) => ({
  external_account_number: 'A-1',
  import_supplier_code: supplier,
  operations_team_name: team,
})

/** Adds a transaction once more, whatever there is: only the key keeps it from coming twice. */
const adding = (client: Client, { supplier }: SharedDatabase, idempotencyKey: string, seconds = 0) =>
  client.addTransactions(
    {
      import_supplier: supplier,
      external_account_number: 'A-1',
      transactions: [
        {
          transaction_id: idempotencyKey,
          transaction_date: '2025-06-01',
          amount: 1,
          type: 'CREDIT',
          reason: 'IMPORTED_CREDIT',
        },
      ],
    },
    { checkPreviouslyAdded: false, idempotencyKey, retrySeconds: seconds },
  )

const idsOf = async ({ knex }: SharedDatabase): Promise<readonly string[]> =>
  (await knex('transactions').pluck('transaction_id')) as string[]

/** Two servers on one database, which has the account A-1. */
const withAccount = async (t: ExecutionContext) => {
  const { database, clients } = await twoServers(t, server)
  const [client] = clients
  if (client === undefined) throw new Error('There is no server')
  await database.stage(['A-1'])
  successOf(await client.processAccount(processing(database)))
  return { database, clients }
}

test.serial(
  'of 60 requests to two servers at one moment with one key, one is done, ten times over',
  async (t) => {
    const { database, clients } = await withAccount(t)
    const before = (await idsOf(database)).length
    const keys = Array.from({ length: 10 }, (_, index) => `T-${index}`)
    for (const key of keys) {
      const all = Array.from({ length: 30 }, () => clients.map((each) => adding(each, database, key)))
      const results = await Promise.all(all.flat())
      const counts = counted(results.map(inShort))
      t.is(
        (counts['201'] ?? 0) + (counts['409 idempotency_key_in_progress'] ?? 0),
        60,
        JSON.stringify(counts),
      )
      t.true((counts['201'] ?? 0) >= 1)
      for (const each of clients) successOf(await adding(each, database, key))
    }
    const added = (await idsOf(database)).filter((id) => keys.includes(id))
    t.deepEqual([...added].sort(), [...keys].sort())
    t.is((await idsOf(database)).length, before + keys.length)
  },
)

test.serial(
  'a client that repeats by itself gets the answer of the request that runs elsewhere',
  async (t) => {
    const { database, clients } = await withAccount(t)
    const results = await Promise.all(clients.map((each) => adding(each, database, 'T-1', 30)))
    const [first, second] = results.map((result) => successOf(result).body)
    t.deepEqual(first, second)
  },
)

/** The connections on which an answer is being kept. */
const keepingConnections = async ({ knex }: SharedDatabase): Promise<readonly number[]> =>
  (await knex('information_schema.processlist')
    .where('info', 'like', 'UPDATE kept_answers%')
    .pluck('id')) as number[]

test.serial(
  'a server killed between effect and answer: the claim ends, the request runs again, nothing is done twice',
  async (t) => {
    const settings = { PROCESSING_CLAIM_SECONDS: '15' }
    const { database, servers, clients } = await twoServers(t, server, settings)
    const [killed] = servers
    const [first, second] = clients
    if (killed === undefined || first === undefined || second === undefined) return t.fail('there are two')
    const { knex, key } = database
    await database.stage(['A-1'])
    await first.transferStatus(database.supplier, 'A-1')
    const options = { idempotencyKey: 'key-1', ...once }

    // The account waits for its import, and then the answer for its row, so that the kill comes in between.
    const effect = await knex.transaction()
    await effect('account_imports').where('external_account_number', 'A-1').forUpdate().first()
    const cut = first.processAccount(processing(database), options)
    await until(async () => (await knex('kept_answers').first('request')) !== undefined, 'the key is claimed')
    const kept = await knex.transaction()
    await kept('kept_answers').forUpdate().first()
    await effect.commit()
    await until(async () => (await keepingConnections(database)).length === 1, 'the answer waits for its row')
    const account = await answer(database.stores.accounts.find(key('A-1')))
    await killed.kill()
    // The database goes on with what it was sent, although nobody waits for it: this is to be as if it never had been.
    for (const id of await keepingConnections(database)) await knex.raw(`KILL ${id}`)
    await until(async () => (await keepingConnections(database)).length === 0, 'nobody keeps an answer')
    await kept.commit()
    t.is(inShort(await cut), '0 network')

    const early = await second.processAccount(processing(database), options)
    t.is(inShort(early), '409 idempotency_key_in_progress')
    await setTimeout(15_100)
    const again = await second.processAccount(processing(database), options)
    t.is(inShort(again), '400 account_already_imported')
    t.not(account, undefined)
    t.is(failureOf(again).problem.platform_account_number, account?.platformAccountNumber)
    const replayed = failureOf(await second.processAccount(processing(database), options))
    t.deepEqual(replayed.problem, failureOf(again).problem)
    const [{ accounts }] = (await knex('accounts').count({ accounts: '*' })) as [{ accounts: number }]
    t.is(Number(accounts), 1)
  },
)

test.serial('what one server answered, another one knows after a restart of both', async (t) => {
  const { database, servers, clients } = await twoServers(t, server)
  const [client] = clients
  if (client === undefined) return t.fail('there are two')
  await database.stage(['A-1'])
  const options = { idempotencyKey: 'key-1', ...once }
  const first = successOf(await client.processAccount(processing(database), options))
  for (const each of servers) await each.kill()
  const restarted = await startServerProcess(database.environment)
  t.teardown(async () => {
    await restarted.stop()
  })
  const other = createClient({ baseUrl: restarted.address, apiKey: database.apiKey })
  const again = successOf(await other.processAccount(processing(database), options))
  t.deepEqual([again.status, again.body], [first.status, first.body])
})
