import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { createHttpServer, createMetricsApp } from '@account-import/adapter-http-koa'
import { createClient } from '@account-import/client'
import { type FieldError, instantOf, millisecondsOf, steadyClock } from '@account-import/core'
import { endpoints } from '@account-import/http-contract'
import { portIds, readConfig, StartError, type RunningServer } from '@account-import/server'
import test, { type ExecutionContext } from 'ava'
import { ContainerModule } from 'inversify'
import { rawExchange } from '../http/support/raw-exchange.js'
import { freePort, until } from '../servers/index.js'
import { listen } from '../support/http-server.js'
import { published } from '../support/published.js'
import { textOf } from '../support/repository.js'
import { gasAccount } from '../support/samples.js'
import { serveProcess } from '../support/serve-process.js'
import { setUp } from '../support/set-up.js'
import { tempFolder } from '../support/temp-folder.js'
import { readMetrics, valueOf, type Series } from './support/metrics.js'
import { started } from './support/started.js'

test('metrics count accounts by outcome and findings by code', async (t) => {
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

test('metrics have the lead of the clock over the clock of the machine and of the database', async (t) => {
  const seconds = 90
  const clock = steadyClock(
    () => Date.now(),
    () => performance.now(),
  )
  const ahead = { ...clock, now: () => instantOf(millisecondsOf(clock.now()) + seconds * 1000) }
  const module = new ContainerModule(({ rebind }) => {
    rebind(portIds.clock).toConstantValue(ahead)
  })
  const { address } = await started(t, {}, { modules: [module] })
  const series = await readMetrics(t, address)
  for (const over of ['wall', 'database']) {
    const lead = valueOf(series, 'account_import_clock_lead_seconds', { over })
    t.true(Math.abs(lead - seconds) < 5, `${over}: ${lead}`)
  }
})

test('each reading of metrics has the delay of the event loop since the previous one', async (t) => {
  const { address } = await started(t)
  const names = ['min', 'mean', 'p99', 'max'].map((which) => `nodejs_eventloop_lag_${which}_seconds`)
  const lags = async (): Promise<readonly number[]> => {
    const series = await readMetrics(t, address)
    return names.map((name) => valueOf(series, name))
  }
  await until(async () => (await lags()).every((lag) => lag > 0.001 && lag < 60), 'there are delays')
  for (const lag of (await Promise.all([lags(), lags()])).flat()) t.false(lag >= 60)
})

test('metrics count accounts of a bulk request by outcome after its end', async (t) => {
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
  t.true(valueOf(series, 'account_import_batch_size_count', { work: 'create' }) >= 1)
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

test('labels have values of closed sets and series do not grow in number, for any requests', async (t) => {
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

test('METRICS=off counts nothing and serves no /metrics', async (t) => {
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

test('METRICS_PORT serves /metrics alone beside /livez, and ends with the server', async (t) => {
  const port = await freePort()
  const server = await started(t, { METRICS_PORT: String(port) })
  const metrics = `http://127.0.0.1:${port}`
  t.is((await fetch(`${server.address}/metrics`)).status, 404)
  const refused = async () =>
    valueOf(await readMetrics(t, metrics), 'account_import_requests_total', { status: '404' })
  await until(async () => (await refused()) > 0, 'the request is counted')
  t.is(await refused(), 1)
  t.is((await fetch(`${metrics}${endpoints.validateAccount.path}`, { method: 'POST' })).status, 404)
  t.is((await fetch(`${metrics}/livez`)).status, 200)
  t.is((await fetch(`${metrics}/readyz`)).status, 404)
  await server.stop()
  await t.throwsAsync(fetch(`${metrics}/metrics`))
})

test('silent connections that use all places do not keep a probe from METRICS_PORT', async (t) => {
  const port = await freePort()
  const server = await started(t, { METRICS_PORT: String(port), MAX_CONNECTIONS: '10' })
  const { hostname, port: apiPort } = new URL(server.address)
  const silent = Array.from({ length: 20 }, () => connect(Number(apiPort), hostname))
  t.teardown(() => silent.forEach((socket) => socket.destroy()))
  for (const socket of silent) socket.on('error', () => undefined)
  await until(async () => silent.some(({ destroyed }) => destroyed), 'the server refuses connections')
  await t.throwsAsync(fetch(`${server.address}/livez`))
  t.is((await fetch(`http://127.0.0.1:${port}/livez`)).status, 200)
})

test('a METRICS_PORT that is in use is named, and nothing is served', async (t) => {
  const port = await listen(t, () => undefined)
  const free = await freePort()
  const environment = { METRICS_PORT: String(port), PORT: String(free) }
  const error = await t.throwsAsync(started(t, environment), { instanceOf: StartError })
  t.is(error.code, 'address_not_usable')
  t.regex(error.message, /set METRICS_PORT to a free port/)
  await t.throwsAsync(fetch(`http://127.0.0.1:${free}/livez`))
})

test('METRICS_PORT must be another port than PORT', (t) => {
  const read = readConfig({ PORT: '9090', METRICS_PORT: '9090' }, 'serve')
  t.deepEqual(read._tag === 'Left' && read.left.map(({ variable }) => variable), ['METRICS_PORT'])
})

test('/metrics makes one text in a second, for any number of requests', async (t) => {
  let made = 0
  const app = createMetricsApp(
    async () => {
      made += 1
      await setTimeout(20)
      if (made === 1) throw new Error('the first one fails')
      return { contentType: 'text/plain', text: String(made) }
    },
    { log: () => undefined },
  )
  const metrics = `http://127.0.0.1:${await listen(t, createHttpServer(app.callback()))}/metrics`
  const read = async (): Promise<string> => (await fetch(metrics)).text()
  const since = performance.now()
  t.is((await fetch(metrics)).status, 500)
  const crowd = await Promise.all(Array.from({ length: 60 }, read))
  for (let turn = 0; turn < 20; turn += 1) crowd.push(await read())
  t.is(crowd[0], '2', 'what fails is not kept')
  const seconds = Math.ceil((performance.now() - since) / 1000)
  t.true(made <= 1 + seconds, `${made} texts in ${seconds} s`)
  await until(async () => Number(await read()) > 2, 'a text that is a second old is made anew')
})

type Shown = Readonly<{ where: string; expression: string; text: string }>

type Panel = Readonly<{ title: string; targets: readonly Readonly<{ expr: string; legendFormat: string }>[] }>

const dashboard = (): readonly Shown[] => {
  const { panels } = JSON.parse(textOf('examples/monitoring/grafana-dashboard.json')) as {
    panels: readonly Panel[]
  }
  return panels.flatMap(({ title, targets }) =>
    targets.map(({ expr, legendFormat }) => ({ where: title, expression: expr, text: legendFormat })),
  )
}

const alerts = (): readonly Shown[] =>
  textOf('examples/monitoring/alerts.yml')
    .split('- alert: ')
    .slice(1)
    .map((rule) => ({
      where: rule.split('\n')[0] ?? '',
      expression: /^ *expr: (.*)$/m.exec(rule)?.[1] ?? '',
      text: /^ *summary: (.*)$/m.exec(rule)?.[1] ?? '',
    }))

const shown = [...dashboard(), ...alerts()]

/** The metrics of an expression, each with the labels that it is selected by, and those that all of it is grouped by. */
const usesIn = (expression: string) => {
  const bare = expression.replaceAll(/"[^"]*"|\[[^\]]*\]|\boffset \w+/g, '')
  const grouped = [...bare.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(', '))
  return [...bare.replaceAll(/\bby \([^)]*\)/g, '').matchAll(/\b([a-z_]\w*)(?:\{([^}]*)\})?(?!\w|\s*\()/g)]
    .filter(([, word = '']) => !['and', 'or', 'unless'].includes(word))
    .map(([, metric = '', selector = '']) => ({
      metric,
      labels: [...grouped, ...(selector.match(/\w+/g) ?? [])],
    }))
}

/** The labels of each metric of a server that has done all that it counts. */
const exported = async (t: ExecutionContext): Promise<ReadonlyMap<string, ReadonlySet<string>>> => {
  const { address, announced } = await serveProcess(t, { DATA_DIR: await tempFolder(t) }, ['--demo'])
  const demo = announced['demo'] as Record<string, string>
  const client = createClient({ baseUrl: address, apiKey: String(demo['api_key']) })
  const supplier = String(demo['import_supplier'])
  await client.stageAccount(gasAccount(supplier, 'A-1'))
  for await (const line of client.bulkStage([gasAccount(supplier, 'A-2')])) t.truthy(line)
  const named = { import_supplier_code: supplier, external_account_number: 'A-1' }
  await client.processAccount({ ...named, operations_team_name: String(demo['operations_team']) })
  const instruction = { vendor: 'SANDBOX', reference: 'sandbox-1', type: 'CARD' }
  await client.addPaymentInstruction({
    import_supplier: supplier,
    external_account_number: 'A-1',
    ...instruction,
  } as never)
  await client.validateAccount({ import_supplier: supplier } as never)
  const labels = new Map<string, Set<string>>([['up', new Set(['job', 'instance'])]])
  for (const { name, labels: own } of await readMetrics(t, address)) {
    const known = labels.get(name) ?? new Set()
    for (const label of Object.keys(own)) known.add(label)
    labels.set(name, known)
  }
  return labels
}

test('a running server exports the metrics and labels of dashboard, alerts and docs/how-to/monitor.md', async (t) => {
  const labelsOf = await exported(t)
  t.true(shown.length > 30)
  for (const { where, expression, text } of shown) {
    const uses = usesIn(expression)
    t.true(uses.length > 0, where)
    for (const { metric, labels } of uses) {
      t.true(labelsOf.has(metric), `${where}: ${metric} is not exported`)
      for (const label of labels)
        t.true(labelsOf.get(metric)?.has(label), `${where}: ${metric} has no label ${label}`)
    }
    for (const [, label = ''] of text.matchAll(/\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}/g))
      t.true(
        uses.some(({ labels }) => labels.includes(label)),
        `${where}: nothing is grouped by ${label}`,
      )
  }
  const rows = [
    ...textOf('docs/how-to/monitor.md').matchAll(/^- `(account_import_\w+)`(?: \(([^)]*)\))?: /gm),
  ]
  t.true(rows.length > 15)
  const listed = new Set(textOf('docs/how-to/monitor.md').match(/account_import_\w+/g))
  const ofHistogram = /_(bucket|sum|count)$/
  for (const name of labelsOf.keys())
    if (name.startsWith('account_import_'))
      t.true(listed.has(name.replace(ofHistogram, '')) || listed.has(name), name)
  for (const [, name = '', labels = ''] of rows) {
    const own = [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label)
    const series = labelsOf.get(name) ?? labelsOf.get(`${name}_count`)
    t.deepEqual([...(series ?? [])].toSorted(), own.toSorted(), name)
  }
})

test('each pattern of routes in dashboard and alerts matches some routes, and not all', (t) => {
  const routes = Object.values(endpoints).map(({ path }) => path)
  const patterns = shown.flatMap(({ expression }) =>
    [...expression.matchAll(/\broute[=!]~"([^"]*)"/g)].map(([, pattern = '']) => pattern),
  )
  t.true(patterns.length > 0)
  for (const pattern of patterns) {
    const fitting = routes.filter((route) => new RegExp(`^(?:${pattern})$`).test(route))
    t.true(fitting.length > 0 && fitting.length < routes.length, `${pattern}: ${fitting.join()}`)
  }
})
