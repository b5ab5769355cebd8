import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { instantOf, portFailure, type UseCases } from '@account-import/core'
import { E } from '@account-import/core/fp'
import test from 'ava'
import type { Readiness } from '@account-import/adapter-http-koa'
import {
  get,
  post,
  problemIn,
  processPath,
  serve,
  stagePath,
  statusPath,
  validatePath,
} from './support/serve.js'
import { rawExchange } from './support/raw-exchange.js'
import { unforeseen } from './support/some-use-cases.js'

const canary = 'kanarienvogel'
const cause = Object.assign(new Error(`INSERT ${canary}`), { code: 'ER_DUP_ENTRY', sql: canary, errno: 1062 })
const entry = { detail: canary, code: 'unknown_field', attr: canary } as const

/** Use cases that carry the canary wherever a value can go. */
const chatty: Partial<UseCases> = {
  validateAccount: async () => E.right({ account: { canary }, ...unforeseen, warnings: [entry] }),
  stageAccount: async () => E.left(portFailure('unexpected', 'accountImports', 'stage', cause)),
  processAccount: async () =>
    E.left({
      _tag: 'AccountAlreadyImported',
      externalAccountNumber: canary,
      platformAccountNumber: canary,
      sameData: false,
    }),
  transferStatus: () => {
    throw Object.assign(new Error(canary), { name: `${canary} !`, code: `${canary} !` })
  },
  accountImportsPage: async () => E.left({ _tag: 'SupplierNotFound' }),
  allAccountImports: async () =>
    E.right(
      (async function* () {
        yield [
          { externalAccountNumber: canary, platformAccountNumber: canary, accountCreatedAt: instantOf(0) },
        ]
        throw cause
      })(),
    ),
  obtainToken: async () => E.left(portFailure('unavailable', 'apiKeys', 'find', cause)),
}

test('no log entry contains a value of a request, a response or a cause', async (t) => {
  const { baseUrl, port, logged } = await serve(t, chatty)
  const body = JSON.stringify({ [canary]: canary })
  const lists = '/v1/data-import/all-account-import-processes'
  const headers = { 'X-Forwarded-For': canary, 'User-Agent': canary, Cookie: canary }
  await post(`${baseUrl}${validatePath}?${canary}=${canary}`, body, headers)
  await post(baseUrl + stagePath, body)
  await post(baseUrl + processPath, body)
  await post(baseUrl + stagePath, `{"${canary}`)
  await post(baseUrl + stagePath, '{}', { Authorization: `Token ${canary}` })
  await post(baseUrl + stagePath, '{}', { 'Content-Type': canary, 'Content-Encoding': canary })
  await get(`${baseUrl}${statusPath}${canary}/${canary}/`)
  await get(`${baseUrl}${statusPath}${canary}/%${canary}/`)
  await get(`${baseUrl}/${canary}`, { 'X-Request-Id': `${canary} ` + '!' })
  await get(`${baseUrl}${lists}/${canary}/?limit=${canary}&cursor=${canary}`)
  await get(`${baseUrl}${lists}/${canary}/?limit=1`)
  await (await get(`${baseUrl}${lists}/${canary}/`)).text().catch(() => undefined)
  const query = `mutation { obtainToken(input: {apiKey: "${canary}"}) { token } }`
  await post(`${baseUrl}/v1/graphql/`, JSON.stringify({ query }))
  await post(`${baseUrl}/v1/graphql/`, JSON.stringify({ query: canary }))
  await rawExchange(port, [`GET http://[${canary} HTTP/1.1\r\nConnection: close\r\n\r\n`])
  t.is(logged.length, 15)
  t.notRegex(JSON.stringify(logged), new RegExp(canary, 'i'))
  t.notRegex(JSON.stringify(logged), /INSERT|stack|\.js:|\.ts:/)
})

test('a log entry has request, actor, outcome and duration', async (t) => {
  const { baseUrl, logged } = await serve(t, chatty)
  const answer = await post(baseUrl + processPath, '{}', { 'X-Request-Id': 'id-1' })
  t.is(answer.status, 400)
  const [{ durationMs, ...rest } = { durationMs: -1 }] = logged
  t.true(durationMs > 0 && durationMs < 5000)
  t.deepEqual(rest, {
    event: 'request',
    level: 'info',
    requestId: 'id-1',
    method: 'POST',
    route: processPath,
    status: 400,
    aborted: false,
    organisation: 'ACME',
    apiKeyId: 'key1',
    code: 'account_already_imported',
  })
})

test('a failing port is logged by name and code, and the response is 500 with the request id', async (t) => {
  const { baseUrl, logged } = await serve(t, chatty)
  const answer = await post(baseUrl + stagePath, '{}', { 'X-Request-Id': 'id-2' })
  t.is(answer.status, 500)
  const text = await answer.text()
  t.notRegex(text, new RegExp(canary))
  t.like(JSON.parse(text), { code: 'error', errors: [], request_id: 'id-2' })
  t.is(logged[0]?.level, 'error')
  t.deepEqual(logged[0]?.failure, {
    kind: 'unexpected',
    port: 'accountImports',
    operation: 'stage',
    name: 'Error',
    code: 'ER_DUP_ENTRY',
  })
})

test('an unexpected exception gets 500, and is logged without its message', async (t) => {
  const { baseUrl, logged } = await serve(t, chatty)
  const answer = await get(`${baseUrl}${statusPath}A/B/`)
  t.is(answer.status, 500)
  t.is(((await answer.json()) as { code: string }).code, 'error')
  t.deepEqual(logged[0]?.failure, { kind: 'unexpected', name: 'object' })
})

test('an unavailable store is a warning, not an error', async (t) => {
  const { baseUrl, logged } = await serve(t, {
    stageAccount: async () => E.left(portFailure('unavailable', 'accountImports', 'stage', cause)),
  })
  const answer = await post(baseUrl + stagePath, '{}')
  t.is(answer.status, 503)
  t.is(answer.headers.get('retry-after'), '2')
  t.is(logged[0]?.level, 'warn')
})

/** A program that embeds the API without a log. */
const program = `
  const { createApp } = await import(process.argv[1])
  const { createImportService } = await import(process.argv[2])
  const { inMemoryPorts } = await import(process.argv[3])
  const ready = { ready: true, components: {} }
  const app = createApp(createImportService(inMemoryPorts()).useCases, { readiness: async () => ready })
  const server = app.listen(0, '127.0.0.1', async () => {
    const address = 'http://127.0.0.1:' + server.address().port
    for (const path of ['/livez', '/v1/data-import/validate/']) await (await fetch(address + path)).text()
    server.closeAllConnections()
    server.close()
  })
`

test('an application without a log writes a line of JSON to stderr for each request except probes', async (t) => {
  const packages = ['adapter-http-koa', 'core', 'core/in-memory'].map((name) =>
    import.meta.resolve(`@account-import/${name}`),
  )
  const args = ['--input-type=module', '-e', program, ...packages]
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args)
  t.is(stdout, '')
  const [line = '', ...others] = stderr.trim().split('\n')
  t.deepEqual(others, [])
  const entry = JSON.parse(line) as Readonly<Record<string, unknown>>
  t.like(entry, { event: 'request', method: 'GET', status: 404 })
  t.false(Number.isNaN(Date.parse(String(entry['time']))))
})

const well: Readiness = { database: { state: 'ok' }, document_storage: { state: 'ok' } }

test('livez and readyz are at the root, without a token, for any base path', async (t) => {
  const { baseUrl } = await serve(t, {}, { basePath: '/imports', readiness: async () => well })
  for (const path of ['/livez', '/livez/']) {
    const answer = await fetch(baseUrl + path)
    t.is(answer.status, 200)
    t.is(answer.headers.get('content-type'), 'application/json; charset=utf-8')
    t.is(answer.headers.get('cache-control'), 'no-store')
    t.deepEqual(await answer.json(), { status: 'alive' })
  }
  const ready = await fetch(`${baseUrl}/readyz`, { headers: { Accept: 'text/html' } })
  t.is(ready.status, 200)
  t.deepEqual(await ready.json(), { status: 'ready', checks: well })
  t.is(await problemIn(t, await fetch(`${baseUrl}/imports/readyz`)), '404 not_found')
  t.is((await fetch(`${baseUrl}/readyz`, { method: 'HEAD' })).status, 200)
  const refused = await fetch(`${baseUrl}/readyz`, { method: 'POST', body: 'x' })
  t.is(refused.headers.get('allow'), 'GET, HEAD')
  t.is(await problemIn(t, refused), '405 method_not_allowed')
})

test('a degraded service is ready, and a failed or unknown one is not and responds with a problem and Retry-After', async (t) => {
  let checks: Readiness = { ...well, document_storage: { state: 'degraded', code: 'timed_out' } }
  const { baseUrl } = await serve(t, {}, { readiness: async () => checks })
  const degraded = await fetch(`${baseUrl}/readyz`)
  t.is(degraded.status, 200)
  t.deepEqual(await degraded.json(), { status: 'degraded', checks })
  for (const state of ['failed', 'unknown'] as const) {
    checks = { ...well, database: { state, code: 'database_unavailable' } }
    const answer = await fetch(`${baseUrl}/readyz`)
    t.regex(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    t.like(await answer.clone().json(), { status: 'not_ready', checks })
    t.is(await problemIn(t, answer), '503 service_unavailable')
  }
  t.is((await fetch(`${baseUrl}/livez`)).status, 200)
})

test('probes of a healthy service are logged at the finest level only, others as warnings', async (t) => {
  let checks: Readiness = well
  const { baseUrl, logged } = await serve(t, {}, { readiness: async () => checks })
  await fetch(`${baseUrl}/livez`)
  await fetch(`${baseUrl}/readyz`)
  checks = { database: { state: 'failed', code: 'database_unavailable' } }
  await fetch(`${baseUrl}/readyz`)
  await fetch(`${baseUrl}/readyz`, { method: 'DELETE' })
  t.deepEqual(
    logged.map(({ level, route, status, code }) => [level, route, status, code]),
    [
      ['debug', '/livez', 200, undefined],
      ['debug', '/readyz', 200, undefined],
      ['warn', '/readyz', 503, 'service_unavailable'],
      ['info', '/readyz', 405, 'method_not_allowed'],
    ],
  )
})

test('readiness that throws is a failure of the service', async (t) => {
  const readiness = async (): Promise<Readiness> => {
    throw new Error('canary')
  }
  const { baseUrl } = await serve(t, {}, { readiness })
  const answer = await fetch(`${baseUrl}/readyz`)
  t.notRegex(await answer.clone().text(), /canary/)
  t.is(await problemIn(t, answer), '500 error')
})

test('an application without readiness has neither path', async (t) => {
  const { baseUrl } = await serve(t, {})
  for (const path of ['/livez', '/readyz'])
    t.is(await problemIn(t, await fetch(baseUrl + path)), '404 not_found')
})
