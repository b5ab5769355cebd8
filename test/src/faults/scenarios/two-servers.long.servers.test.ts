import { createClient, type Client, type Result } from '@account-import/client'
import test, { type ExecutionContext } from 'ava'
import { rawApi } from '../../journeys/support/raw-api.js'
import { tokenOf } from '../../journeys/support/token-of.js'
import { until } from '../../servers/index.js'
import { answer } from '../../support/answers.js'
import { exchangeBulk } from '../../support/bulk-exchange.js'
import { failureOf, inShort, successOf } from '../../support/results.js'
import { gasAccount } from '../../support/samples.js'
import { startServerProcess, type ServerProcess } from '../../support/server-process.js'
import { openSharedDatabase, type SharedDatabase } from '../../support/shared-database.js'
import { counted } from '../../support/counted.js'
import { type ServerName, startedServers } from '../../support/started-servers.js'

const { names, server } = startedServers()

/** A new database with two server processes on it, and a client of each. */
const twoServers = async (t: ExecutionContext, name: ServerName) => {
  const database = await openSharedDatabase(await server(name).createDatabase(), {})
  t.teardown(() => database.close())
  const start = async (): Promise<ServerProcess> => {
    const process = await startServerProcess(database.environment)
    t.teardown(() => process.stop().then(() => undefined))
    return process
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

/** How a server lists and ends the connections that store an answer, and its time. */
const keeping = {
  MariaDB: {
    listed: "SELECT id FROM information_schema.processlist WHERE info LIKE 'UPDATE idempotency_records%'",
    ended: (id: number) => `KILL ${id}`,
    now: 'UTC_TIMESTAMP(3)',
  },
  PostgreSQL: {
    listed:
      "SELECT pid AS id FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'UPDATE idempotency_records%'",
    ended: (id: number) => `SELECT PG_TERMINATE_BACKEND(${id})`,
    now: "TIMEZONE('UTC', CLOCK_TIMESTAMP())",
  },
} as const

const keyed = { idempotencyKey: 'key-1', retrySeconds: 0 }

for (const name of names) {
  test.serial(
    `two servers that process all accounts of a supplier concurrently create each once, in one response (${name})`,
    async (t) => {
      const { database, servers } = await twoServers(t, name)
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
    `a client that retries gets the response of the request that runs on another server (${name})`,
    async (t) => {
      const { database, clients } = await twoServers(t, name)
      await database.stage(['A-1'])
      const options = { idempotencyKey: 'key-1', retrySeconds: 30 }
      const calls = clients.map((each) => each.processAccount(processing(database), options))
      const [first, second] = (await Promise.all(calls)).map((result) => successOf(result).body)
      t.deepEqual(first, second)
    },
  )

  test.serial(
    `a request whose server was killed between effect and response runs again after its claim, and does nothing twice (${name})`,
    async (t) => {
      const { database, servers, clients } = await twoServers(t, name)
      const [first, second] = clients
      const { knex, key } = database
      const { listed, ended, now } = keeping[name]
      const { query } = server(name)
      const keepingIds = async (): Promise<readonly number[]> =>
        (await query(listed)).map((row) => Number(row['id']))
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
      await until(async () => (await keepingIds()).length === 1, 'the answer waits for its row')
      const account = await answer(database.stores.accounts.find(key('A-1')))
      await servers[0].kill()
      // The database continues the statements that it got, although no client waits: the test needs a state without them.
      for (const id of await keepingIds()) await knex.raw(ended(id))
      await until(async () => (await keepingIds()).length === 0, 'nobody keeps an answer')
      await kept.commit()
      t.is(inShort(await cut), '0 network')

      const ask = () => second.processAccount(processing(database), keyed)
      t.is(inShort(await ask()), '409 idempotency_key_in_progress')
      await knex('idempotency_records').update({ claim_ends_at: knex.raw(now) })
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
    `an unavailable database gives 503 with Retry-After in time, and all works without a restart when it is back (${name})`,
    async (t) => {
      const { database, servers, clients, clientOf } = await twoServers(t, name)
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
      await server(name).kill()
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
      await server(name).restart()
      const status = () => client.transferStatus(supplier, 'A-1')
      await until(async () => (await status()).ok, 'it works again', 8000)
      t.is(successOf(await status()).body.attempts, 0)
      for (const name of ['stage', 'process', 'list'])
        t.is(inShort((await calls[name]?.()) ?? t.fail()), name === 'list' ? '200' : '201')
      t.is(inShort(await clientOf(servers[0]).transferStatus(supplier, 'A-1')), '200')
    },
  )
}
