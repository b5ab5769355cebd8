import { type AccountKey, instantOf, scopes, type UseCases } from '@account-import/core'
import { E } from '@account-import/core/fp'
import { endpoints, pathOf } from '@account-import/http-contract'
import test from 'ava'
import { problemCodesIn, rawExchange, statusesIn } from './support/raw-exchange.js'
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
import { unforeseen } from './support/some-use-cases.js'

/** Finds no account, and records the requested keys. */
const statusOf =
  (keys: AccountKey[]): UseCases['transferStatus'] =>
  async (key) => {
    keys.push(key)
    const nothing = { platformAccountNumber: undefined, attempts: 0, latestError: undefined }
    return E.right({ status: 'UNKNOWN', ...nothing })
  }

/** The use case of lists records each requested list. */
const notFound = async () => E.left({ _tag: 'SupplierNotFound' } as const)
const lists = { allAccountImports: notFound, importRunsPage: notFound as never }

const accepts = [
  ['*/*', true],
  ['application/json', true],
  ['application/*;q=0.5', true],
  ['application/json; charset=UTF-8', true],
  ['text/html, application/json;q=0.1', true],
  ['text/html', false],
  ['application/json;q=0', false],
  ['application/xml, text/*', false],
] as const

for (const [accept, taken] of accepts)
  test(`Accept: ${accept} is ${taken ? 'served' : 'refused'}`, async (t) => {
    const { baseUrl } = await serve(t, { transferStatus: statusOf([]) })
    const answer = await get(`${baseUrl}${statusPath}A/B/`, { Accept: accept })
    if (taken) t.is(answer.status, 200)
    else t.is(await problemIn(t, answer), '406 not_acceptable')
  })

const tokens = [
  [undefined, '401 not_authenticated'],
  ['', '401 not_authenticated'],
  ['good', '401 authentication_failed'],
  ['Basic good', '401 authentication_failed'],
  ['Token', '401 authentication_failed'],
  ['Token good good', '401 authentication_failed'],
  ['Token good, Token good', '401 authentication_failed'],
  ['Token wrong', '401 authentication_failed'],
  ['Token old', '401 token_expired'],
  ['Token only-read', '403 permission_denied'],
] as const

for (const [header, expected] of tokens)
  test(`Authorization: ${header ?? '(none)'} is ${expected}`, async (t) => {
    const { baseUrl } = await serve(t, {})
    const headers = {
      'Content-Type': 'text/plain',
      ...(header === undefined ? {} : { Authorization: header }),
    }
    // The body is refused as well, but the response to a client without access does not show that.
    const answer = await fetch(baseUrl + stagePath, { method: 'POST', headers, body: 'x' })
    t.is(answer.headers.get('www-authenticate'), expected.startsWith('401') ? 'Token' : null)
    t.is(await problemIn(t, answer), expected)
  })

for (const headers of [
  ['Token good', 'Token good'],
  ['Token good', 'Token only-read'],
  ['', 'Token good'],
])
  test(`two Authorization headers are refused with any values: ${headers.join(' and ')}`, async (t) => {
    const { port } = await serve(t, { transferStatus: statusOf([]) })
    const lines = headers.map((header) => `Authorization: ${header}\r\n`).join('')
    const asked = `GET ${statusPath}A/B/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${lines}\r\n`
    const answer = await rawExchange(port, [asked])
    t.deepEqual([statusesIn(answer), problemCodesIn(answer)], [[401], ['authentication_failed']])
  })

test('Token, Bearer and JWT are equal, in any case', async (t) => {
  const { baseUrl } = await serve(t, { transferStatus: statusOf([]) })
  for (const scheme of ['Token', 'Bearer', 'JWT', 'token', 'BEARER'])
    t.is((await get(`${baseUrl}${statusPath}A/B/`, { Authorization: `${scheme} only-read` })).status, 200)
})

for (const [name, endpoint] of Object.entries(endpoints))
  test(`${name} needs the scopes ${endpoint.scopes.join(' and ') || 'of any token'} and no others`, async (t) => {
    const { baseUrl } = await serve(t, {
      [name]: async () => E.left({ _tag: 'SupplierNotFound' }),
      usableNames: async () => E.left({ _tag: 'SupplierNotFound' } as never),
      ...lists,
    })
    const params = { import_supplier_code: 'A', external_account_number: 'B', import_run: 'C' }
    const lines = /bulk(Validate|Stage|Import)/.test(name) ? { 'Content-Type': 'application/x-ndjson' } : {}
    for (const scope of scopes) {
      const Authorization = `Token only-${scope}`
      const url = baseUrl + pathOf(endpoint, params)
      const answer = await (endpoint.method === 'GET'
        ? get(url, { Authorization })
        : post(url, '{}', { Authorization, ...lines }))
      const isAdmitted = endpoint.scopes.every((needed) => needed === scope)
      t.is(await problemIn(t, answer), isAdmitted ? '404 not_found' : '403 permission_denied')
    }
  })

test('processing returns 201 with the number, and its use case gets organisation, raw payload and actor', async (t) => {
  const asked: unknown[] = []
  const { baseUrl } = await serve(t, {
    processAccount: async (submission) => {
      asked.push(submission)
      return E.right({ platformAccountNumber: 'A-1', warnings: [] })
    },
  })
  const answer = await post(baseUrl + processPath, '{"dry_run":1,"x":null}')
  t.is(answer.status, 201)
  t.deepEqual(await answer.json(), { platform_account_number: 'A-1' })
  t.deepEqual(asked, [
    {
      organisation: 'ACME',
      payload: { dry_run: 1, x: null },
      text: '{"dry_run":1,"x":null}',
      by: { who: 'key key1', requestId: answer.headers.get('X-Request-Id') },
    },
  ])
})

test('warnings are in headers, on success and with errors', async (t) => {
  const warnings = [{ detail: 'd', code: 'unknown_field', attr: 'x' }] as const
  const { baseUrl } = await serve(t, {
    validateAccount: async ({ payload }) =>
      payload === 1
        ? E.left({ _tag: 'AccountFailedValidation', errors: warnings, warnings })
        : E.right({ account: {}, ...unforeseen, warnings }),
  })
  for (const [body, status] of [
    ['1', 400],
    ['2', 200],
  ] as const) {
    const answer = await post(baseUrl + validatePath, body)
    t.is(answer.status, status)
    t.is(answer.headers.get('import-warnings'), '"x";code="unknown_field"')
    t.is(answer.headers.get('import-warnings-total'), '1')
  }
})

test('the transfer status has an empty number before the account exists, and the last failure only after one', async (t) => {
  const { baseUrl } = await serve(t, {
    transferStatus: async ({ externalAccountNumber }) =>
      E.right(
        externalAccountNumber === 'failed'
          ? {
              status: 'UNKNOWN',
              platformAccountNumber: undefined,
              attempts: 2,
              latestError: { code: 'error', detail: 'text', occurredAt: instantOf(1_999) },
            }
          : { status: 'COMPLETED', platformAccountNumber: 'A-1', attempts: 1, latestError: undefined },
      ),
  })
  const failed = await get(`${baseUrl}${statusPath}LEVANTE/failed/`)
  t.deepEqual(await failed.json(), {
    status: 'UNKNOWN',
    platform_account_number: '',
    attempts: 2,
    latest_error: { code: 'error', detail: 'text', occurred_at: '1970-01-01T00:00:01Z' },
  })
  const completed = await get(`${baseUrl}${statusPath}LEVANTE/N1/`)
  t.is(await completed.text(), '{"status":"COMPLETED","platform_account_number":"A-1","attempts":1}')
})

const namesInPaths = [
  ['a%2Fb', 'a/b'],
  ['a%252Fb', 'a%2Fb'],
  ['%C3%A9', 'é'],
  ['e%CC%81', 'e\u0301'],
  ['x%20', 'x '],
  ['a+b', 'a+b'],
  ['%F0%9F%8F%A0', '🏠'],
  ['a:b@c;d=e,f', 'a:b@c;d=e,f'],
  ['%2E%2E%2Fx', '../x'],
  ['__proto__', '__proto__'],
] as const

for (const [sent, read] of namesInPaths)
  test(`a path parameter ${sent} is decoded exactly once`, async (t) => {
    const keys: AccountKey[] = []
    const { baseUrl } = await serve(t, { transferStatus: statusOf(keys) })
    for (const end of ['', '/']) t.is((await get(`${baseUrl}${statusPath}LEVANTE/${sent}${end}`)).status, 200)
    const key = { organisation: 'ACME', importSupplier: 'LEVANTE', externalAccountNumber: read }
    t.deepEqual(keys, [key, key])
  })

const noNames = ['%', '%zz', '%E0%A4', '%00', 'a%0Ab', '%20', '%ED%A0%80', 'x'.repeat(129), '%C3']

for (const sent of noNames)
  test(`a path parameter ${sent.slice(0, 20)} is not found`, async (t) => {
    const { baseUrl } = await serve(t, {})
    t.is(await problemIn(t, await get(`${baseUrl}${statusPath}LEVANTE/${sent}/`)), '404 not_found')
  })

test('a supplier code of more than 32 characters is not found', async (t) => {
  const { baseUrl } = await serve(t, { transferStatus: statusOf([]) })
  t.is((await get(`${baseUrl}${statusPath}${'s'.repeat(32)}/N1/`)).status, 200)
  t.is(await problemIn(t, await get(`${baseUrl}${statusPath}${'s'.repeat(33)}/N1/`)), '404 not_found')
})

const unknownPaths = [
  '/v1/',
  '/v1/data-import/Validate-Account/',
  `${validatePath}x`,
  `${validatePath}/`,
  '//',
  `${statusPath}A`,
  `${statusPath}A//`,
  `${statusPath}A/B/C/`,
]

test('unknown paths are 404 without a token, with any Accept', async (t) => {
  const { baseUrl, logged } = await serve(t, {})
  for (const path of unknownPaths)
    t.is(
      await problemIn(t, await fetch(baseUrl + path, { headers: { Accept: 'text/html' } })),
      '404 not_found',
    )
  t.deepEqual(new Set(logged.map(({ route }) => route)), new Set(['unmatched']))
})

test('wrong methods are 405 with Allow, without a token', async (t) => {
  const { baseUrl } = await serve(t, {})
  const cases = [
    ['GET', validatePath, 'POST'],
    ['PUT', stagePath, 'POST'],
    ['OPTIONS', processPath, 'POST'],
    ['POST', `${statusPath}A/B/`, 'GET, HEAD'],
    ['DELETE', '/v1/data-import/all-account-import-processes/A', 'GET, HEAD'],
    ['GET', '/v1/graphql/?query=mutation{x}', 'POST'],
  ] as const
  for (const [method, path, allow] of cases) {
    const answer = await fetch(baseUrl + path, { method })
    t.is(answer.headers.get('allow'), allow)
    t.is(await problemIn(t, answer), '405 method_not_allowed')
  }
})

test('HEAD has the headers of GET, without the body', async (t) => {
  const { baseUrl } = await serve(t, { transferStatus: statusOf([]) })
  const headers = { Authorization: 'Token good' }
  const head = await fetch(`${baseUrl}${statusPath}A/B/`, { method: 'HEAD', headers })
  const whole = await get(`${baseUrl}${statusPath}A/B/`)
  t.is(head.status, 200)
  t.is(await head.text(), '')
  t.is(head.headers.get('content-length'), String((await whole.text()).length))
})

test('a base path precedes every path', async (t) => {
  const { baseUrl } = await serve(t, { transferStatus: statusOf([]) }, { basePath: 'imports(1)/' })
  t.is((await get(`${baseUrl}/imports(1)${statusPath}A/B/`)).status, 200)
  t.is((await get(`${baseUrl}${statusPath}A/B/`)).status, 404)
})

test('responses have the request id of the caller if it is valid, else a new one', async (t) => {
  const { baseUrl } = await serve(t, { transferStatus: statusOf([]) })
  const idFor = async (sent: string, path: string) =>
    (await get(baseUrl + path, { 'X-Request-Id': sent })).headers.get('x-request-id')
  t.is(await idFor('abc.D_9-', `${statusPath}A/B/`), 'abc.D_9-')
  t.is(await idFor('abc', '/nowhere'), 'abc')
  for (const sent of ['', 'a b', 'x'.repeat(65), 'a<b'])
    t.regex((await idFor(sent, '/nowhere')) ?? '', /^[0-9a-f-]{36}$/)
})

test('every response has the security headers of an API and may not be cached', async (t) => {
  const { baseUrl } = await serve(t, {})
  const { headers } = await fetch(`${baseUrl}/nowhere`)
  t.is(headers.get('cache-control'), 'no-store')
  t.is(headers.get('content-security-policy'), "default-src 'none';frame-ancestors 'none'")
  t.is(headers.get('x-content-type-options'), 'nosniff')
  t.is(headers.get('x-frame-options'), 'DENY')
  t.regex(headers.get('strict-transport-security') ?? '', /max-age/)
  t.is(headers.get('referrer-policy'), 'no-referrer')
  t.is(headers.get('etag'), null)
  t.is(headers.get('x-powered-by'), null)
})

const page = 'https://app.example'

const preflight = (address: string, origin: string) =>
  fetch(`${address}${validatePath}`, {
    method: 'OPTIONS',
    headers: {
      Origin: origin,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization,content-type,idempotency-key',
    },
  })

test('a page of a listed origin may send every request, and read the headers that clients need', async (t) => {
  const { baseUrl } = await serve(t, {}, { corsOrigins: ['https://other.example', page] })
  const asked = await preflight(baseUrl, page)
  t.is(asked.status, 204)
  t.is(asked.headers.get('access-control-allow-origin'), page)
  t.is(asked.headers.get('access-control-allow-credentials'), null)
  t.regex(asked.headers.get('access-control-allow-methods') ?? '', /POST/)
  for (const name of ['Authorization', 'Content-Type', 'Content-Encoding', 'Idempotency-Key'])
    t.regex(asked.headers.get('access-control-allow-headers') ?? '', new RegExp(name))
  const refused = await fetch(`${baseUrl}${validatePath}`, { method: 'POST', headers: { Origin: page } })
  t.is(refused.status, 401)
  t.is(refused.headers.get('access-control-allow-origin'), page)
  for (const name of ['Import-Warnings', 'Retry-After', 'Link', 'X-Request-Id', 'Idempotency-Replayed'])
    t.regex(refused.headers.get('access-control-expose-headers') ?? '', new RegExp(name))
  t.regex(refused.headers.get('vary') ?? '', /Origin/)
  const plain = await fetch(`${baseUrl}${validatePath}`, { method: 'OPTIONS', headers: { Origin: page } })
  t.is(plain.status, 405)
})

const strangers = ['https://app.example.evil', 'http://app.example', 'null', `${page}:8443`]

for (const [corsOrigins, origins] of [
  [[], [page]],
  [[page], strangers],
] as const)
  test(`pages of origins that are not listed get no access when ${corsOrigins.length} are listed`, async (t) => {
    const { baseUrl } = await serve(t, {}, { corsOrigins })
    for (const Origin of origins) {
      const posted = await fetch(`${baseUrl}${validatePath}`, { method: 'POST', headers: { Origin } })
      for (const [answer, status] of [
        [await preflight(baseUrl, Origin), 405],
        [posted, 401],
      ] as const) {
        t.is(answer.status, status, Origin)
        t.notRegex([...answer.headers.keys()].join(), /access-control-/, Origin)
        // Caches learn that responses differ by origin.
        if (corsOrigins.length > 0) t.regex(answer.headers.get('vary') ?? '', /Origin/)
      }
    }
  })
