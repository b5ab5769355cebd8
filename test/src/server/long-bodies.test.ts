import test, { type ExecutionContext } from 'ava'
import { endpoints } from '@account-import/http-contract'
import { readConfig, startServer, type RunningServer } from '@account-import/server'
import { hostileBodies } from '../faults/hostile/bodies/index.js'
import { rawApi } from '../journeys/support/raw-api.js'
import { tokenOf } from '../journeys/support/token-of.js'
import { gasAccount } from '../support/samples.js'
import { setUp, type SetUp } from '../support/set-up.js'
import { tempFolder } from '../support/temp-folder.js'
import { readMetrics, valueOf } from './support/metrics.js'

type Served = Readonly<{
  server: RunningServer
  set: SetUp
  send(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>
}>

const served = async (t: ExecutionContext, more: Record<string, string> = {}): Promise<Served> => {
  const environment = { DATA_DIR: await tempFolder(t), PORT: '0', LOG_LEVEL: 'silent', ...more }
  const read = readConfig(environment, 'serve')
  if (read._tag === 'Left') throw new Error(read.left.map(({ detail }) => detail).join())
  const server = await startServer(read.right)
  t.teardown(() => server.stop())
  const set = await setUp(server.useCases.operator)
  const token = await tokenOf(rawApi(server.address), set.apiKey)
  return {
    server,
    set,
    send: (path, body, headers = {}) =>
      fetch(server.address + path, {
        method: 'POST',
        headers: { Authorization: `Token ${token}`, 'Content-Type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
  }
}

/** Nothing is wrong with the account, but it is long. */
const padding = 'x'.repeat(300_000)

test('a long body is answered on a database in memory, which no thread can share', async (t) => {
  const { set, send } = await served(t, { DATABASE_URL: 'sqlite::memory:' })
  const long = { ...gasAccount(set.supplier, 'A-1'), padding }
  t.is((await send(endpoints.stageAccount.path, long)).status, 201)
  t.is((await send(endpoints.stageAccount.path, gasAccount(set.supplier, 'A-1'))).status, 200)
})

test('a long body is answered as a short one is: validated, staged, and given again with its key', async (t) => {
  const { server, set, send } = await served(t)
  const short = gasAccount(set.supplier, 'A-1')
  const long = { ...short, padding }
  const answers = [
    await send(endpoints.validateAccount.path, long),
    await send(endpoints.stageAccount.path, long),
  ]
  t.deepEqual(
    answers.map(({ status }) => status),
    [200, 201],
  )
  t.is(answers[0]?.headers.get('import-warnings'), '"padding";code="unknown_field"')
  const usual = (await (await send(endpoints.validateAccount.path, short)).json()) as object
  t.deepEqual(await answers[0]?.json(), usual)
  const keyed = { 'Idempotency-Key': 'k' }
  const first = await send(endpoints.stageAccount.path, long, keyed)
  t.is(first.status, 200)
  const again = await send(endpoints.stageAccount.path, long, keyed)
  t.is(again.headers.get('idempotency-replayed'), 'true')
  t.is(await again.text(), await first.text())
  const status = {
    import_supplier_code: set.supplier,
    external_account_number: 'A-1',
    operations_team_name: set.team,
  }
  t.is((await send(endpoints.processAccount.path, status)).status, 201)
  const series = await readMetrics(t, server.address)
  t.is(valueOf(series, 'account_import_accounts_total', { step: 'stage', outcome: 'replaced' }), 1)
})

test('what is wrong with a long body is refused and counted as with a short one', async (t) => {
  const { server, set, send } = await served(t)
  const bodies: readonly (readonly [body: unknown, status: number, code: string])[] = [
    [`{"a":"${padding}"`, 400, 'parse_error'],
    [`${'['.repeat(33)}"${padding}"${']'.repeat(33)}`, 400, 'payload_too_deep'],
    [{ ...gasAccount(set.supplier, 'A-1'), billing_name: padding }, 400, 'account_failed_validation'],
    [{ ...gasAccount('NOBODY', 'A-1'), padding }, 400, 'account_failed_validation'],
  ]
  for (const [body, status, code] of bodies) {
    const answer = await send(endpoints.validateAccount.path, body)
    const { code: answered } = (await answer.json()) as { code: string }
    t.deepEqual([answer.status, answered], [status, code])
  }
  const series = await readMetrics(t, server.address)
  for (const code of ['parse_error', 'payload_too_deep', 'account_failed_validation'])
    t.true(valueOf(series, 'account_import_problems_total', { code }) > 0, code)
})

test('a long line of a bulk request is answered as a short one is, in its place, and fails alone', async (t) => {
  const { server, set, send } = await served(t)
  const short = (number: string) => JSON.stringify(gasAccount(set.supplier, number))
  const long = (number: string, more: object = {}) =>
    JSON.stringify({ ...gasAccount(set.supplier, number), padding, ...more })
  const lines = [
    short('A-1'),
    long('A-1'),
    long('A-2', { billing_name: padding }),
    `{"a":"${padding}`,
    short('A-2'),
    long('A-3'),
  ]
  const answer = await send(endpoints.bulkStage.path, lines.join('\n'), {
    'Content-Type': 'application/x-ndjson',
  })
  const results = (await answer.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  t.deepEqual(
    results.map(({ line, status, external_account_number: number, warnings }) => [
      line,
      status,
      number,
      warnings,
    ]),
    [
      [1, 201, 'A-1', undefined],
      [2, 200, 'A-1', 1],
      [3, 400, 'A-2', 1],
      [4, 400, undefined, undefined],
      [5, 201, 'A-2', undefined],
      [6, 201, 'A-3', 1],
      [undefined, undefined, undefined, undefined],
    ],
  )
  t.deepEqual(results.at(-1), { summary: { received: 6, created: 3, updated: 1, failed: 2 } })
  const series = await readMetrics(t, server.address)
  t.true(valueOf(series, 'account_import_problems_total', { code: 'parse_error' }) > 0)
})

test('while a body of 5 MiB is parsed and validated, others are answered', async (t) => {
  const { server, send } = await served(t)
  const worst = hostileBodies['numbered keys in no order']?.() ?? ''
  t.true(worst.length > 5_000_000)
  // The thread is started for the first one.
  await (await send(endpoints.validateAccount.path, { padding })).arrayBuffer()
  let isAnswered = false
  const answering = send(endpoints.validateAccount.path, worst).finally(() => {
    isAnswered = true
  })
  let meanwhile = 0
  for (; !isAnswered; meanwhile += 1) await (await fetch(`${server.address}/livez`)).arrayBuffer()
  t.is((await answering).status, 400)
  t.true(meanwhile > 10, `${meanwhile} answers`)
})
