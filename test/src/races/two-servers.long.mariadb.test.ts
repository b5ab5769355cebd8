import type { Client } from '@account-import/client'
import test from 'ava'
import { setTimeout } from 'node:timers/promises'
import { failureOf, inShort, successOf } from '../support/results.js'
import { startMariaDb, type MariaDb } from '../servers/index.js'
import { exchangeBulk } from '../support/bulk-exchange.js'
import { rawApi } from '../journeys/support/raw-api.js'
import { tokenOf } from '../journeys/support/token-of.js'
import { counted } from './counted.js'
import { sampleLiveClaims } from './live-claims.js'
import type { SharedDatabase } from '../support/shared-database.js'
import { twoServers } from './two-servers.js'

let server: MariaDb

const processBy = ({ supplier, team }: SharedDatabase, client: Client, number: string) =>
  client.processAccount({
    external_account_number: number,
    import_supplier_code: supplier,
    operations_team_name: team,
  })

/** One client: takes account after account, and each again as long as the limit refuses it. */
const work = async (
  database: SharedDatabase,
  client: Client,
  numbers: string[],
  answers: string[],
): Promise<void> => {
  for (let number = numbers.pop(); number !== undefined; number = numbers.pop())
    for (;;) {
      const result = await processBy(database, client, number)
      answers.push(`${inShort(result)}${!result.ok && (result.retryAfterSeconds ?? 0) > 0 ? ' later' : ''}`)
      if (result.ok || result.status !== 429) break
      await setTimeout(10 + Math.random() * 40)
    }
}

test.before('start MariaDB', async () => {
  server = await startMariaDb()
})
test.after.always('stop MariaDB', () => server.stop())

test.serial('200 simultaneous process calls to two server processes create an account once', async (t) => {
  const { database, clients } = await twoServers(t, server)
  await database.stage(['A-1'])
  const calls = Array.from({ length: 100 }, () => clients.map((client) => processBy(database, client, 'A-1')))
  const results = await Promise.all(calls.flat())
  const counts = counted(results.map(inShort))
  t.is(counts['201'], 1, JSON.stringify(counts))
  const refused =
    (counts['400 account_already_imported'] ?? 0) + (counts['429 account_import_in_progress'] ?? 0)
  t.is(refused, 199, JSON.stringify(counts))
  for (const client of clients) {
    const { body } = successOf(await client.transferStatus(database.supplier, 'A-1'))
    t.deepEqual([body.status, body.attempts], ['COMPLETED', 1])
  }
})

test.serial(
  'a limit of 4 holds over two server processes under 64 clients, is reached, and starves nobody',
  async (t) => {
    const { database, clients } = await twoServers(t, server, { PROCESSING_CONCURRENCY_LIMIT: '4' })
    const numbers = Array.from({ length: 120 }, (_, index) => `A-${index}`)
    await database.stage(numbers)
    const answers: string[] = []
    const stopSampling = sampleLiveClaims(database.knex)
    const workers = Array.from({ length: 32 }, () =>
      clients.map((client) => work(database, client, numbers, answers)),
    )
    await Promise.all(workers.flat())
    const seen = await stopSampling()
    const counts = counted(answers)
    t.deepEqual(Object.keys(counts).sort(), ['201', '429 concurrency_limit_reached later'])
    t.is(counts['201'], 120)
    t.is(Math.max(...seen.keys()), 4, `live claims seen: ${JSON.stringify([...seen])}`)
    t.log(`answers ${JSON.stringify(counts)}; live claims in samples ${JSON.stringify([...seen].sort())}`)
  },
)

test.serial('what the first server process created, the second one knows', async (t) => {
  const { database, clients } = await twoServers(t, server)
  await database.stage(['A-1'])
  const [first, second] = clients
  if (first === undefined || second === undefined) return t.fail('there are two')
  const { body } = successOf(await processBy(database, first, 'A-1'))
  const { problem } = failureOf(await processBy(database, second, 'A-1'))
  t.like(problem, {
    code: 'account_already_imported',
    platform_account_number: body.platform_account_number,
  })
})

test.serial(
  'two servers that process all of a supplier at once create each account once, in one answer',
  async (t) => {
    const { database, addresses } = await twoServers(t, server)
    const numbers = Array.from({ length: 600 }, (_, index) => `A-${index}`)
    await database.stage(numbers)
    const body = JSON.stringify({
      import_supplier_code: database.supplier,
      operations_team_name: database.team,
    })
    // Both have done something before they begin: else the first is through before the second one has its code.
    const tokens = await Promise.all(addresses.map((baseUrl) => tokenOf(rawApi(baseUrl), database.apiKey)))
    const answers = await Promise.all(
      addresses.map((baseUrl, index) =>
        exchangeBulk('bulkProcess', { baseUrl, token: tokens[index] ?? '' }, body),
      ),
    )
    const results = answers.flatMap(({ results: each }) => each)
    t.deepEqual(results.map((result) => result.external_account_number).sort(), [...numbers].sort())
    t.true(
      results.every(
        ({ status, platform_account_number }) => status === 201 && platform_account_number !== undefined,
      ),
    )
    t.is(new Set(results.map((result) => result.platform_account_number)).size, numbers.length)
    const created = answers.map(({ summary }) => summary?.created ?? 0)
    t.true(
      created.every((count) => count > 0),
      `created ${created.join(' and ')}`,
    )
  },
)
