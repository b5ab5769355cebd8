import { createClient } from '@account-import/client'
import { systemClock } from '@account-import/core'
import ava from 'ava'
import { importing } from '../import/support/importing.js'
import { type MariaDb, startMariaDb } from '../servers/index.js'
import { ready } from './support/ready.js'
import { started } from './support/started.js'
import { answer } from '../support/answers.js'
import { gasAccount } from '../support/samples.js'
import { openSharedDatabase } from '../support/shared-database.js'

const test = ava.serial

let server: MariaDb
test.before(async () => {
  server = await startMariaDb(['--max-allowed-packet=1M'])
})
test.after.always(() => server.stop())

const sized = (supplier: string, number: string, bytes: number) => ({
  ...gasAccount(supplier, number),
  metadata: [{ key: 'k', value: { texts: Array<string>(bytes / 10_000).fill('x'.repeat(10_000)) } }],
})

test('an account above max_allowed_packet is refused alone, and /readyz and the log name the setting', async (t) => {
  const url = await server.createDatabase()
  const database = await openSharedDatabase(url)
  t.teardown(() => database.close())
  const { address, entries } = await started(t, { ...database.environment, LOG_LEVEL: 'info' })
  const client = createClient({ baseUrl: address, apiKey: database.apiKey })
  const refused = await client.stageAccount(sized(database.supplier, 'BIG', 2_000_000) as never)
  t.like(refused, { ok: false, status: 413, code: 'payload_too_large' })

  // All of them together are larger too, and each fits.
  const payloads = [
    ...Array.from({ length: 8 }, (_, at) => sized(database.supplier, `N-${at}`, 250_000)),
    sized(database.supplier, 'BIG', 2_000_000),
    gasAccount(database.supplier, 'N-9'),
  ]
  const outcomes: string[] = []
  for await (const result of client.bulkStage(payloads as never))
    outcomes.push(
      result.outcome === 'done' ? 'staged' : result.outcome === 'failed' ? result.code : 'stopped',
    )
  t.deepEqual(outcomes, [...Array<string>(8).fill('staged'), 'payload_too_large', 'staged'])

  t.like(await ready(address), {
    status: 200,
    checks: { database: { state: 'degraded', code: 'max_allowed_packet_too_small' } },
  })
  t.regex(JSON.stringify(entries), /max_allowed_packet of the database is 1048576 bytes/)
})

test('an import refuses an account above max_allowed_packet by its code, creates the others, and does not retry', async (t) => {
  const url = await server.createDatabase()
  const database = await openSharedDatabase(url)
  t.teardown(() => database.close())
  const { address } = await started(t, database.environment)
  const { put, run } = await importing(t, { url, address })
  const lines = [gasAccount(database.supplier, 'A'), sized(database.supplier, 'BIG', 2_000_000)]
  const file = await put('a.ndjson', lines.map((line) => JSON.stringify(line)).join('\n'))
  const { code, stdout, stderr } = await run(['import', file, '--team', database.team, '--json'], {
    environment: { ACCOUNT_IMPORT_API_KEY: database.apiKey },
  })
  t.is(code, 1, stderr)
  t.like(JSON.parse(stdout), {
    created: 1,
    failed: 1,
    errors: [{ code: 'payload_too_large', accounts: 1 }],
    run: { retries: 0 },
  })
})

test('stagings that are larger than a statement fail one by one, and a locked one leaves the others staged once', async (t) => {
  const database = await openSharedDatabase(await server.createDatabase())
  t.teardown(() => database.close())
  const { key, knex, stores, supplier } = database
  await database.stage(['N-1'])
  const lock = await knex.transaction()
  t.teardown(() => lock.rollback())
  await lock.raw('SELECT 1 FROM account_imports WHERE external_account_number = ? FOR UPDATE', ['N-1'])
  const stagings = Array.from({ length: 6 }, (_, at) => ({
    key: key(`N-${at}`),
    payload: JSON.stringify(sized(supplier, `N-${at}`, 250_000)),
    at: systemClock.now(),
    creation: { platformAccountNumber: `P-${at}`, operationsTeam: database.team },
  }))
  const outcomes = await answer(stores.accountImports.stage(stagings))
  t.deepEqual(
    outcomes.map(({ _tag }) => _tag),
    ['created', 'failed', 'created', 'created', 'created', 'created'],
  )
  const events = await answer(
    stores.auditTrail.events({ organisation: database.organisation }, undefined, 1000),
  )
  t.is(events.filter(({ entry }) => entry.what === 'created').length, 5)
})
