import { createClient, type Client, type Result } from '@account-import/client'
import test, { type ExecutionContext } from 'ava'
import { rawApi } from '../../journeys/support/raw-api.js'
import { tokenOf } from '../../journeys/support/token-of.js'
import { startMariaDb, until, type MariaDb } from '../../servers/index.js'
import { answer } from '../../support/answers.js'
import { exchangeBulk } from '../../support/bulk-exchange.js'
import { failureOf, inShort, successOf } from '../../support/results.js'
import { gasAccount } from '../../support/samples.js'
import { startServerProcess, type ServerProcess } from '../../support/server-process.js'
import { openSharedDatabase, type SharedDatabase } from '../../support/shared-database.js'
import { counted } from '../../support/counted.js'

let mariaDb: MariaDb

test.before('start MariaDB', async () => {
  mariaDb = await startMariaDb()
})
test.after.always('stop MariaDB', () => mariaDb.stop())

/** A new database with two server processes on it, and a client of each. */
const twoServers = async (t: ExecutionContext) => {
  const database = await openSharedDatabase(await mariaDb.createDatabase(), {})
  t.teardown(() => database.close())
  const start = async (): Promise<ServerProcess> => {
    const server = await startServerProcess(database.environment)
    t.teardown(() => server.stop().then(() => undefined))
    return server
  }
  const servers = await Promise.all([start(), start()])
  const clientOf = ({ address }: ServerProcess): Client =>
    createClient({ baseUrl: address, apiKey: database.apiKey })
  const clients = [clientOf(servers[0]), clientOf(servers[1])] as const
  return { database, servers, clients, clientOf }
}

const processing = ({ supplier, team }: SharedDatabase, external_account_number = 'A-1') => ({
  external_account_number,
  import_supplier_code: supplier,
  operations_team_name: team,
})

test.serial(
  'two servers that process all accounts of a supplier concurrently create each once, in one response',
  async (t) => {
    const { database, servers } = await twoServers(t)
    const numbers = Array.from({ length: 6000 }, (_, index) => `A-${index}`)
    await database.stage(numbers)
    const { supplier: import_supplier_code, team: operations_team_name, apiKey } = database
    const body = JSON.stringify({ import_supplier_code, operations_team_name })
    // Both have done some work before, and there is much of it: otherwise the first is finished before the second one has begun.
    const tokens = await Promise.all(servers.map(({ address }) => tokenOf(rawApi(address), apiKey)))
    const answers = await Promise.all(
      servers.map(({ address: baseUrl }, index) =>
        exchangeBulk('bulkProcess', { baseUrl, token: tokens[index] ?? '' }, body),
      ),
    )
    const results = answers.flatMap(({ results: each }) => each)
    t.deepEqual(results.map((result) => result.external_account_number).sort(), [...numbers].sort())
    t.deepEqual(counted(results.map(({ status }) => String(status))), { '201': numbers.length })
    const platforms = new Set(results.map((result) => result.platform_account_number))
    t.deepEqual([platforms.size, platforms.has(undefined)], [numbers.length, false])
    const created = answers.map(({ summary }) => summary?.created ?? 0)
    t.true(
      created.every((count) => count > 0),
      `created ${created.join(' and ')}`,
    )
  },
)

test.serial(
  'a client that retries gets the response of the request that runs on another server',
  async (t) => {
    const { database, clients } = await twoServers(t)
    await database.stage(['A-1'])
    const options = { idempotencyKey: 'key-1', retrySeconds: 30 }
    const calls = clients.map((each) => each.processAccount(processing(database), options))
    const [first, second] = (await Promise.all(calls)).map((result) => successOf(result).body)
    t.deepEqual(first, second)
  },
)

const keepingConnections = async ({ knex }: SharedDatabase): Promise<readonly number[]> =>
  (await knex('information_schema.processlist')
    .where('info', 'like', 'UPDATE idempotency_records%')
    .pluck('id')) as number[]

const keyed = { idempotencyKey: 'key-1', retrySeconds: 0 }

test.serial(
  'a request whose server was killed between effect and response runs again after its claim, and does nothing twice',
  async (t) => {
    const { database, servers, clients } = await twoServers(t)
    const [first, second] = clients
    const { knex, key } = database
    await database.stage(['A-1'])
    await first.transferStatus(database.supplier, 'A-1')

    // The account waits for its import, and then the response for its row, so that the kill happens between them.
    const effect = await knex.transaction()
    await effect('account_imports').where('external_account_number', 'A-1').forUpdate().first()
    const cut = first.processAccount(processing(database), keyed)
    await until(
      async () => (await knex('idempotency_records').first('request')) !== undefined,
      'the key is claimed',
    )
    const kept = await knex.transaction()
    await kept('idempotency_records').forUpdate().first()
    await effect.commit()
    await until(async () => (await keepingConnections(database)).length === 1, 'the answer waits for its row')
    const account = await answer(database.stores.accounts.find(key('A-1')))
    await servers[0].kill()
    // The database continues the statements that it got, although no client waits: the test needs a state without them.
    for (const id of await keepingConnections(database)) await knex.raw(`KILL ${id}`)
    await until(async () => (await keepingConnections(database)).length === 0, 'nobody keeps an answer')
    await kept.commit()
    t.is(inShort(await cut), '0 network')

    const ask = () => second.processAccount(processing(database), keyed)
    t.is(inShort(await ask()), '409 idempotency_key_in_progress')
    await knex('idempotency_records').update({ claim_ends_at: knex.raw('UTC_TIMESTAMP(3)') })
    const again = failureOf(await ask())
    t.is(inShort(again), '400 account_already_imported')
    t.not(account, undefined)
    t.is(again.problem.platform_account_number, account?.platformAccountNumber)
    t.deepEqual(failureOf(await ask()).problem, again.problem)
    const [{ accounts }] = (await knex('account_imports')
      .where('state', 'created')
      .count({ accounts: '*' })) as [{ accounts: number }]
    t.is(Number(accounts), 1)
  },
)

test.serial(
  'an unavailable database gives 503 with Retry-After in time, and all works without a restart when it is back',
  async (t) => {
    const { database, servers, clients, clientOf } = await twoServers(t)
    const [client] = clients
    const { supplier, apiKey } = database
    t.is(inShort(await client.stageAccount(gasAccount(supplier, 'A-1'))), '201')
    const calls: Readonly<Record<string, () => Promise<Result<unknown>>>> = {
      validate: () => client.validateAccount(gasAccount(supplier, 'A-1')),
      stage: () => client.stageAccount(gasAccount(supplier, 'A-2')),
      process: () => client.processAccount(processing(database)),
      status: () => client.transferStatus(supplier, 'A-1'),
      list: () => client.listAccountImports({ importSupplier: supplier, list: 'all' }),
    }
    await mariaDb.kill()
    const refused = Object.entries(calls).map(async ([name, call]) => {
      const begun = Date.now()
      const { status, problem, retryAfterSeconds } = failureOf(await call())
      const duration = Date.now() - begun
      t.deepEqual([status, problem.code, problem.errors], [503, 'service_unavailable', []], name)
      t.true((retryAfterSeconds ?? 0) > 0, name)
      t.true(duration < 8000, `${name} took ${duration} ms`)
    })
    await Promise.all(refused)
    t.is(await rawApi(servers[0].address).obtain({ apiKey }), 'SERVICE_UNAVAILABLE')
    await mariaDb.restart()
    const status = () => client.transferStatus(supplier, 'A-1')
    await until(async () => (await status()).ok, 'it works again', 8000)
    t.is(successOf(await status()).body.attempts, 0)
    for (const name of ['stage', 'process', 'list'])
      t.is(inShort((await calls[name]?.()) ?? t.fail()), name === 'list' ? '200' : '201')
    t.is(inShort(await clientOf(servers[0]).transferStatus(supplier, 'A-1')), '200')
  },
)
