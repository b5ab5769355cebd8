import { scopes, type UseCases } from '@account-import/core'
import { TE } from '@account-import/core/adapter-kit'
import { endpoints, pathOf } from '@account-import/http-contract'
import test from 'ava'
import { request, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { get, post, problemIn, serve, stagePath, statusPath } from './support/serve.js'

const unknownStatus: UseCases['transferStatus'] = () =>
  TE.right({ status: 'UNKNOWN', platformAccountNumber: undefined, attempts: 0, latestError: undefined })

/** Each list is asked for by the use case of lists. */
const lists = { allAccountImports: () => TE.left({ _tag: 'SupplierNotFound' } as const) }

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
    const { baseUrl } = await serve(t, { transferStatus: unknownStatus })
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
    // The body is refused as well, but that is not said to strangers.
    const answer = await fetch(baseUrl + stagePath, { method: 'POST', headers, body: 'x' })
    t.is(answer.headers.get('www-authenticate'), expected.startsWith('401') ? 'Token' : null)
    t.is(await problemIn(t, answer), expected)
  })

for (const headers of [
  ['Token good', 'Token good'],
  ['Token good', 'Token only-read'],
  ['', 'Token good'],
])
  test(`two Authorization headers are refused, whatever they say: ${headers.join(' and ')}`, async (t) => {
    const { port } = await serve(t, { transferStatus: unknownStatus })
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const lines = ['Host', 'localhost', ...headers.flatMap((header) => ['Authorization', header])]
      const asked = request({ port, path: `${statusPath}A/B/`, headers: lines }, resolve)
      asked.on('error', reject).end()
    })
    const body = JSON.parse((await buffer(answer)).toString()) as { code: string }
    t.deepEqual([answer.statusCode, body.code], [401, 'authentication_failed'])
  })

test('Token, Bearer and JWT are one, in any case', async (t) => {
  const { baseUrl } = await serve(t, { transferStatus: unknownStatus })
  for (const scheme of ['Token', 'Bearer', 'JWT', 'token', 'BEARER'])
    t.is((await get(`${baseUrl}${statusPath}A/B/`, { Authorization: `${scheme} only-read` })).status, 200)
})

for (const [name, endpoint] of Object.entries(endpoints))
  test(`${name} needs the scope ${endpoint.scope}, and only that`, async (t) => {
    const { baseUrl } = await serve(t, { [name]: () => TE.left({ _tag: 'SupplierNotFound' }), ...lists })
    const params = { import_supplier_code: 'A', external_account_number: 'B' }
    const lines = /bulk(Validate|Stage)/.test(name) ? { 'Content-Type': 'application/x-ndjson' } : {}
    for (const scope of scopes) {
      const Authorization = `Token only-${scope}`
      const url = baseUrl + pathOf(endpoint, params)
      const answer = await (endpoint.method === 'GET'
        ? get(url, { Authorization })
        : post(url, '{}', { Authorization, ...lines }))
      t.is(await problemIn(t, answer), scope === endpoint.scope ? '404 not_found' : '403 permission_denied')
    }
  })
