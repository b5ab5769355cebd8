import { createClient, type Client, type Result } from '@account-import/client'
import test, { type ExecutionContext } from 'ava'
import { setTimeout } from 'node:timers/promises'
import { rawApi } from '../journeys/support/raw-api.js'
import { failureOf, inShort, successOf } from '../support/results.js'
import { gasAccount } from '../support/samples.js'
import { startMariaDb, type MariaDb } from '../servers/index.js'
import { startServerProcess } from '../support/server-process.js'
import { openSharedDatabase, type SharedDatabase } from '../support/shared-database.js'

let mariaDb: MariaDb

type Call = () => Promise<Result<unknown>>
type Calls = Readonly<Record<'validate' | 'stage' | 'process' | 'status' | 'list', Call>>
type Served = Readonly<{ address: string; database: SharedDatabase; client: Client; calls: Calls }>

/** A server process with one staged account, and everything that a client may ask of it. */
const serve = async (t: ExecutionContext): Promise<Served> => {
  const database = await openSharedDatabase(await mariaDb.createDatabase())
  t.teardown(() => database.close())
  const { supplier, team, apiKey } = database
  const { address, stop } = await startServerProcess(database.environment)
  t.teardown(async () => {
    await stop()
  })
  const client = createClient({ baseUrl: address, apiKey })
  t.is(inShort(await client.stageAccount(gasAccount(supplier, 'A-1'))), '201')
  const request = {
    external_account_number: 'A-1',
    import_supplier_code: supplier,
    operations_team_name: team,
  }
  const calls = {
    validate: () => client.validateAccount(gasAccount(supplier, 'A-1')),
    stage: () => client.stageAccount(gasAccount(supplier, 'A-2')),
    process: () => client.processAccount(request),
    status: () => client.transferStatus(supplier, 'A-1'),
    list: () => client.listAccountImports({ importSupplier: supplier, list: 'all' }),
  }
  return { address, database, client, calls }
}

/** All calls at once: each is refused as unavailable, and none takes longer. */
const allUnavailable = async (
  t: ExecutionContext,
  calls: Readonly<Record<string, Call>>,
  mostMilliseconds: number,
): Promise<void> => {
  const durations = Object.entries(calls).map(async ([name, call]) => {
    const begun = Date.now()
    const { status, problem, retryAfterSeconds } = failureOf(await call())
    const duration = Date.now() - begun
    t.deepEqual([status, problem.code, problem.errors], [503, 'service_unavailable', []], name)
    t.true((retryAfterSeconds ?? 0) > 0, name)
    t.true(duration < mostMilliseconds, `${name} took ${duration} ms`)
    return `${name} ${duration} ms`
  })
  t.log(`answers while it was gone: ${(await Promise.all(durations)).join(', ')}`)
}

const worksAgain = async (t: ExecutionContext, { client, database, calls }: Served): Promise<void> => {
  const begun = Date.now()
  const { supplier } = database
  while (!(await client.transferStatus(supplier, 'A-1')).ok && Date.now() - begun < 8000) await setTimeout(50)
  t.log(`working again ${Date.now() - begun} ms after the database`)
  t.is(successOf(await client.transferStatus(supplier, 'A-1')).body.attempts, 0)
  const answers = [await calls.stage(), await calls.process(), await calls.list()].map(inShort)
  t.deepEqual(answers, ['201', '201', '200'])
}

test.before('start MariaDB', async () => {
  mariaDb = await startMariaDb()
})
test.after.always('stop MariaDB', () => mariaDb.stop())

test.serial(
  'a database that is gone: 503 with Retry-After in time; back: all works without a restart',
  async (t) => {
    const served = await serve(t)
    await mariaDb.kill()
    await allUnavailable(t, served.calls, 8000)
    t.is(await rawApi(served.address).obtain({ apiKey: served.database.apiKey }), 'SERVICE_UNAVAILABLE')
    await mariaDb.restart()
    await worksAgain(t, served)
    const newcomer = createClient({ baseUrl: served.address, apiKey: served.database.apiKey })
    t.is(inShort(await newcomer.transferStatus(served.database.supplier, 'A-1')), '200')
  },
)

test.serial(
  'a database that stands still: 503 with Retry-After in time; moving again: all works',
  async (t) => {
    const served = await serve(t)
    process.kill(mariaDb.pid, 'SIGSTOP')
    try {
      // The signal takes its time to reach every thread of the server.
      await setTimeout(300)
      await allUnavailable(
        t,
        { status: () => served.client.transferStatus(served.database.supplier, 'A-1') },
        20_000,
      )
    } finally {
      process.kill(mariaDb.pid, 'SIGCONT')
    }
    await worksAgain(t, served)
  },
)
