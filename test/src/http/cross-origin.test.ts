import test, { type ExecutionContext } from 'ava'
import { createApp } from '@account-import/adapter-http-koa'
import { listen } from '@account-import/adapter-http-koa/testing'
import { makeUseCases } from '@account-import/core'
import { inMemoryPorts } from '@account-import/core/in-memory'
import { cliInProcess } from '../support/cli-in-process.js'

const page = 'https://app.example'

const served = async (t: ExecutionContext, corsOrigins?: readonly string[], basePath = '') => {
  const app = createApp(makeUseCases(inMemoryPorts()), {
    basePath,
    ...(corsOrigins && { corsOrigins }),
    log: () => undefined,
  })
  const { baseUrl, close } = await listen(app)
  t.teardown(close)
  return baseUrl
}

const path = '/v1/data-import/validate-account/'

const preflight = (address: string, origin: string) =>
  fetch(`${address}${path}`, {
    method: 'OPTIONS',
    headers: {
      Origin: origin,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization,content-type,idempotency-key',
    },
  })

const corsHeaders = (response: Response): readonly string[] =>
  [...response.headers.keys()].filter((name) => name.startsWith('access-control-'))

test('pages of other origins may do nothing unless they are listed', async (t) => {
  const address = await served(t)
  const asked = await preflight(address, page)
  t.is(asked.status, 405)
  t.deepEqual(corsHeaders(asked), [])
  const answered = await fetch(`${address}${path}`, { method: 'POST', headers: { Origin: page } })
  t.deepEqual([answered.status, corsHeaders(answered)], [401, []])
})

test('a page of a listed origin may send what the API knows, and read the headers that clients need', async (t) => {
  const address = await served(t, ['https://other.example', page])
  const asked = await preflight(address, page)
  t.is(asked.status, 204)
  t.is(asked.headers.get('access-control-allow-origin'), page)
  t.is(asked.headers.get('access-control-allow-credentials'), null)
  t.regex(asked.headers.get('access-control-allow-methods') ?? '', /POST/)
  for (const name of ['Authorization', 'Content-Type', 'Content-Encoding', 'Idempotency-Key'])
    t.regex(asked.headers.get('access-control-allow-headers') ?? '', new RegExp(name))
  const refused = await fetch(`${address}${path}`, { method: 'POST', headers: { Origin: page } })
  t.is(refused.status, 401)
  t.is(refused.headers.get('access-control-allow-origin'), page)
  for (const name of ['Import-Warnings', 'Retry-After', 'Link', 'X-Request-Id', 'Idempotency-Replayed'])
    t.regex(refused.headers.get('access-control-expose-headers') ?? '', new RegExp(name))
  t.regex(refused.headers.get('vary') ?? '', /Origin/)
})

test('an origin that is not listed gets what it got before, and caches are told that answers differ', async (t) => {
  const address = await served(t, [page])
  for (const origin of ['https://app.example.evil', 'http://app.example', 'null', `${page}:8443`]) {
    const asked = await preflight(address, origin)
    t.is(asked.status, 405, origin)
    t.deepEqual(corsHeaders(asked), [])
    t.regex(asked.headers.get('vary') ?? '', /Origin/)
  }
  const plain = await fetch(`${address}${path}`, { method: 'OPTIONS', headers: { Origin: page } })
  t.is(plain.status, 405)
})

for (const wrong of [
  '*',
  'app.example',
  'https://app.example/',
  'https://App.example',
  'ftp://a.example',
  page + ',',
])
  test(`a list of origins that no browser sends so is refused: ${wrong}`, async (t) => {
    const { code, stderr } = await cliInProcess(['serve'], { CORS_ORIGINS: wrong })
    t.is(code, 2)
    t.regex(stderr, /CORS_ORIGINS must be origins such as https:\/\/app\.example/)
  })

test('the address of the service leads to its documentation', async (t) => {
  const follow = async (address: string) => {
    const response = await fetch(address, { redirect: 'manual' })
    return [response.status, response.headers.get('location')]
  }
  t.deepEqual(await follow(await served(t)), [302, '/docs/'])
  const below = await served(t, undefined, '/imports')
  t.deepEqual(await follow(below), [302, '/imports/docs/'])
  t.deepEqual(await follow(`${below}/imports`), [302, '/imports/docs/'])
  t.deepEqual(await follow(`${below}/imports/`), [302, '/imports/docs/'])
  t.is((await fetch(below)).status, 200)
  t.is((await fetch(below, { method: 'POST', redirect: 'manual' })).status, 405)
})

test('a code that there is not is a page for browsers, and JSON for all others', async (t) => {
  const address = await served(t)
  for (const slash of ['', '/']) {
    const asked = `${address}/docs/errors/nope${slash}`
    const shown = await fetch(asked, { headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } })
    t.is(shown.status, 404)
    t.regex(shown.headers.get('content-type') ?? '', /^text\/html/)
    t.regex(shown.headers.get('content-security-policy') ?? '', /style-src 'sha256-/)
    const up = /<a href="([^"]+)">All codes<\/a>/.exec(await shown.text())?.[1] ?? ''
    t.is((await fetch(new URL(up, asked))).status, 200)
    const told = await fetch(asked)
    t.is(told.status, 404)
    t.like(await told.json(), { code: 'not_found' })
  }
})

test('no page of the codes shows a placeholder', async (t) => {
  const address = await served(t)
  for (const code of ['', 'max_length/', 'invalid/', 'invalid_choice/', 'min_value/', 'too_many_errors/']) {
    const text = await (await fetch(`${address}/docs/errors/${code}`)).text()
    t.notRegex(text, /\{(?:max|min|allowed|form)\}/, code)
  }
})
