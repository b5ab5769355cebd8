import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import test, { type ExecutionContext } from 'ava'
import { createClient } from '@account-import/client'
import type { FieldError } from '@account-import/core'
import { endpoints } from '@account-import/http-contract'
import {
  readConfig,
  startServer,
  StartError,
  type RunningServer,
  type ServerConfig,
} from '@account-import/server'
import { rawExchange } from '../http/support/raw-exchange.js'
import { published } from '../support/published.js'
import { gasAccount } from '../support/samples.js'
import { freePort, until } from '../servers/index.js'
import { serveProcess } from '../support/serve-process.js'
import { setUp } from '../support/set-up.js'
import { tempFolder } from '../support/temp-folder.js'
import { readMetrics, valueOf, type Series } from './support/metrics.js'

const configured = async (t: ExecutionContext, more: Record<string, string> = {}): Promise<ServerConfig> => {
  const dataDir = await tempFolder(t)
  const read = readConfig({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent', ...more }, 'serve')
  if (read._tag === 'Left') throw new Error(read.left.map(({ detail }) => detail).join())
  return read.right
}

const started = async (t: ExecutionContext, more: Record<string, string> = {}): Promise<RunningServer> => {
  const server = await startServer(await configured(t, more))
  t.teardown(() => server.stop())
  return server
}

test('accounts are counted by what became of them, and what was wrong by its code', async (t) => {
  const { address, useCases } = await started(t)
  const { supplier, team, apiKey } = await setUp(useCases.operator)
  const client = createClient({ baseUrl: address, apiKey })
  const account = gasAccount(supplier, 'A-1')
  const named = {
    import_supplier_code: supplier,
    external_account_number: 'A-1',
    operations_team_name: team,
  }
  await client.validateAccount(account)
  await client.validateAccount({ import_supplier: supplier, customers: [{ landline: '12' }] } as never)
  await client.stageAccount(account, { idempotencyKey: 'k' })
  await client.stageAccount(account, { idempotencyKey: 'k' })
  await client.stageAccount(account)
  await client.processAccount({ ...named, dry_run: true })
  await client.processAccount(named)
  await client.processAccount(named)
  const series = await readMetrics(t, address)
  const accounts = (step: string, outcome: string): number =>
    valueOf(series, 'account_import_accounts_total', { step, outcome })
  t.deepEqual([accounts('validate', 'valid'), accounts('validate', 'refused')], [1, 1])
  t.deepEqual([accounts('stage', 'created'), accounts('stage', 'replaced')], [1, 1])
  t.deepEqual(
    ['dry_run', 'created', 'refused'].map((outcome) => accounts('process', outcome)),
    [1, 1, 1],
  )
  t.is(valueOf(series, 'account_import_field_errors_total', { code: 'invalid_phone_number' }), 1)
  t.is(valueOf(series, 'account_import_problems_total', { code: 'account_already_imported' }), 1)
  const route = endpoints.stageAccount.path
  t.is(valueOf(series, 'account_import_requests_total', { route, method: 'POST' }), 3)
  t.is(valueOf(series, 'account_import_request_duration_seconds_count', { route }), 3)
  t.true(valueOf(series, 'account_import_batch_size_count', { work: 'stage' }) >= 2)
  t.true(valueOf(series, 'account_import_database_wait_seconds_count') > 5)
  t.is(valueOf(series, 'account_import_database_connections_limit'), 1)
  t.is(valueOf(series, 'account_import_outbox_emails'), 0)
  t.true(valueOf(series, 'process_resident_memory_bytes') > 0)
})

test('the first reading of a process tells how late its event loop has been since its start', async (t) => {
  const { address } = await serveProcess(t, { DATA_DIR: await tempFolder(t) })
  const series = await readMetrics(t, address)
  for (const name of ['min', 'mean', 'p99', 'max'].map((which) => `nodejs_eventloop_lag_${which}_seconds`)) {
    const lag = valueOf(series, name)
    t.true(lag > 0.001 && lag < 60, `${name} ${lag}`)
  }
})

test('accounts of a bulk request are counted by what became of them, once it has ended', async (t) => {
  const { address, useCases } = await started(t)
  const { supplier, team, apiKey } = await setUp(useCases.operator)
  const client = createClient({ baseUrl: address, apiKey })
  const accounts = ['A-1', 'A-2', 'A-1'].map((number) => gasAccount(supplier, number))
  const named = { import_supplier_code: supplier, operations_team_name: team }
  const refused: FieldError[] = []
  for await (const line of client.bulkStage([...accounts, { import_supplier: supplier }]))
    if (line.outcome === 'failed') refused.push(...line.problem.errors)
  t.true(refused.length > 1)
  for await (const line of client.bulkProcess({ ...named, dry_run: true })) t.truthy(line)
  for await (const line of client.bulkProcess(named)) t.truthy(line)
  await until(
    async () =>
      valueOf(await readMetrics(t, address), 'account_import_bulk_line_seconds_count', { step: 'process' }) >=
      2,
    'what the last request did is counted',
  )
  const series = await readMetrics(t, address)
  const found = (step: string, outcomes: readonly string[]): readonly number[] =>
    outcomes.map((outcome) => valueOf(series, 'account_import_accounts_total', { step, outcome }))
  t.deepEqual(found('stage', ['created', 'replaced', 'refused']), [2, 1, 1])
  t.deepEqual(found('process', ['dry_run', 'created', 'refused']), [2, 2, 0])
  t.is(valueOf(series, 'account_import_bulk_line_seconds_count', { step: 'process' }), 2)
  t.true(valueOf(series, 'account_import_batch_size_count', { work: 'claim' }) >= 1)
  const { path: route } = endpoints.bulkStage
  t.is(valueOf(series, 'account_import_problems_total', { route }), 1)
  for (const code of new Set(refused.map((error) => error.code)))
    t.is(
      valueOf(series, 'account_import_field_errors_total', { code }),
      refused.filter((error) => error.code === code).length,
    )
})

const closed: Readonly<Record<string, (value: string) => boolean>> = {
  code: (value) => published.has(value) || /^[A-Z_]+$/.test(value),
  method: (value) => ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'other'].includes(value),
  outcome: (value) => /^[a-z_]+$/.test(value),
  route: (value) =>
    ['unmatched', '/livez', '/readyz', '/metrics', '/v1/graphql/', '/docs/', '/openapi.json'].includes(
      value,
    ) ||
    value.startsWith('/docs/errors/') ||
    Object.values(endpoints).some(({ path }) => path === value),
  status: (value) => /^(0|[1-5]\d\d)$/.test(value),
}

const random = (): string => Math.random().toString(36).slice(2)

/** Requests with something of their own wherever a client can put it. */
const hostileRequests = async ({ address }: RunningServer): Promise<void> => {
  const { port } = new URL(address)
  const own = `canary${random()}`
  const headers = {
    Authorization: `Token ${own}`,
    'X-Request-Id': own,
    'X-Forwarded-For': own,
    'User-Agent': own,
    'Content-Type': own,
    Accept: own,
  }
  const paths = [
    own,
    `${own}/${own}`,
    `docs/errors/${own}/`,
    `v1/data-import/account-transfer-status/${own}/${own}/`,
  ]
  for (const path of paths)
    for (const method of ['GET', 'POST', 'DELETE', 'PROPFIND', 'MKCALENDAR'])
      await (await fetch(`${address}/${path}?${own}=${own}`, { method, headers })).text()
  for (const { path } of Object.values(endpoints))
    await (
      await fetch(address + path.replaceAll(/\{\w+\}/g, own), { method: 'PUT', headers, body: own })
    ).text()
  const query = JSON.stringify({ query: `mutation { obtainToken(input: {apiKey: "${own}"}) { token } }` })
  const json = { 'Content-Type': 'application/json' }
  for (const body of [query, JSON.stringify({ query: own }), own])
    await (await fetch(`${address}/v1/graphql/`, { method: 'POST', headers: json, body })).text()
  for (const line of [
    `${own.toUpperCase()} / HTTP/1.1`,
    `GET ${own} HTTP/1.1`,
    own,
    `CONNECT ${own} HTTP/1.1`,
  ])
    await rawExchange(Number(port), [`${line}\r\nHost: ${own}\r\nConnection: close\r\n\r\n`])
}

test('whatever clients send, labels have values of closed sets and series do not grow in number', async (t) => {
  const server = await started(t)
  await hostileRequests(server)
  await readMetrics(t, server.address)
  const first = await readMetrics(t, server.address)
  await hostileRequests(server)
  await hostileRequests(server)
  const later = await readMetrics(t, server.address)
  const unknown = later.filter(({ labels }) =>
    Object.entries(labels).some(
      ([label, value]) => closed[label]?.(value) === false || /canary/i.test(value),
    ),
  )
  t.deepEqual(unknown, [])
  const names = (series: readonly Series[]) =>
    series
      .filter(({ name }) => name.startsWith('account_import'))
      .map(({ name, labels }) => name + JSON.stringify(labels))
  t.deepEqual(
    names(later).filter((name) => !names(first).includes(name)),
    [],
  )
})

test('with METRICS=off nothing is counted and there is no /metrics', async (t) => {
  const { address } = await started(t, { METRICS: 'off' })
  t.is((await fetch(`${address}/metrics`)).status, 404)
})

test('/metrics is outside the base path and can only be read', async (t) => {
  const { address } = await started(t, { BASE_PATH: '/migration' })
  await readMetrics(t, address)
  t.is((await fetch(`${address}/migration/metrics`)).status, 404)
  const wrong = await fetch(`${address}/metrics`, { method: 'POST' })
  t.is(wrong.status, 405)
  t.is(wrong.headers.get('allow'), 'GET, HEAD')
})

test('with METRICS_PORT /metrics is there alone, and ends with the server', async (t) => {
  const port = await freePort()
  const server = await startServer(await configured(t, { METRICS_PORT: String(port) }))
  const metrics = `http://127.0.0.1:${port}`
  t.is((await fetch(`${server.address}/metrics`)).status, 404)
  const refused = async () =>
    valueOf(await readMetrics(t, metrics), 'account_import_requests_total', { status: '404' })
  await until(async () => (await refused()) > 0, 'the request is counted')
  t.is(await refused(), 1)
  t.is((await fetch(`${metrics}${endpoints.validateAccount.path}`, { method: 'POST' })).status, 404)
  t.is((await fetch(`${metrics}/livez`)).status, 404)
  await server.stop()
  await t.throwsAsync(fetch(`${metrics}/metrics`))
})

test('a METRICS_PORT that is in use is said by its name, and then nothing is served', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  t.teardown(() => void taken.close())
  const { port } = taken.address() as AddressInfo
  const config = await configured(t, { METRICS_PORT: String(port), PORT: String(await freePort()) })
  const error = await t.throwsAsync(startServer(config), { instanceOf: StartError })
  t.is(error.code, 'address_not_usable')
  t.regex(error.message, /set METRICS_PORT to a free port/)
  await t.throwsAsync(fetch(`http://127.0.0.1:${config.port}/livez`))
})

test('METRICS_PORT must be another port than PORT', (t) => {
  const read = readConfig({ PORT: '9090', METRICS_PORT: '9090' }, 'serve')
  t.deepEqual(read._tag === 'Left' && read.left.map(({ variable }) => variable), ['METRICS_PORT'])
})
