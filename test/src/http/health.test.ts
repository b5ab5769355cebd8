import test from 'ava'
import type { Readiness } from '@account-import/adapter-http-koa'
import { problemIn, serve } from './support/serve.js'

const well: Readiness = { database: { state: 'ok' }, document_storage: { state: 'ok' } }

test('alive and ready are asked at the root, without a token, wherever the API lies', async (t) => {
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

test('what is degraded is still ready, what failed or is not known is not, and is answered as a problem with Retry-After', async (t) => {
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

test('probes that find all well are logged for who wants every detail, the others as warnings', async (t) => {
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

test('readiness that cannot be found out is a fault of the service', async (t) => {
  const readiness = async (): Promise<Readiness> => {
    throw new Error('canary')
  }
  const { baseUrl } = await serve(t, {}, { readiness })
  const answer = await fetch(`${baseUrl}/readyz`)
  t.notRegex(await answer.clone().text(), /canary/)
  t.is(await problemIn(t, answer), '500 error')
})

test('an application that is given no readiness has neither path', async (t) => {
  const { baseUrl } = await serve(t, {})
  for (const path of ['/livez', '/readyz'])
    t.is(await problemIn(t, await fetch(baseUrl + path)), '404 not_found')
})
