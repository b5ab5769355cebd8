import type { UseCases } from '@account-import/core'
import { TE } from '@account-import/core/adapter-kit'
import test from 'ava'
import { codesIn, issuing, mutation, sendGraphql as send } from './support/graphql.js'
import { problemIn, serve } from './support/serve.js'

const json = { 'Content-Type': 'application/json' }

test('an API key or a refresh token is exchanged for tokens, at both forms of the address', async (t) => {
  const { baseUrl } = await serve(t, issuing)
  const answer = await send(baseUrl, mutation('{apiKey: "k"}'))
  t.is(answer.status, 200)
  t.deepEqual(await answer.json(), {
    data: {
      obtainToken: {
        token: 'for k',
        expiresAt: '1970-01-01T01:00:00Z',
        refreshToken: 'r',
        refreshExpiresAt: '1970-01-08T00:00:00Z',
      },
    },
  })
  const query = `mutation Get($input: ObtainTokenInput!) { obtainToken(input: $input) { token } }`
  const again = await fetch(`${baseUrl}/v1/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
    body: JSON.stringify({ query, operationName: 'Get', variables: { input: { refreshToken: 's' } } }),
  })
  t.deepEqual(await again.json(), { data: { obtainToken: { token: 'again s' } } })
})

const wrongInputs = [
  '{}',
  '{apiKey: "k", refreshToken: "r"}',
  '{apiKey: null}',
  '{apiKey: 5}',
  '{other: "k"}',
  'null',
]

for (const input of wrongInputs)
  test(`the input ${input} is BAD_USER_INPUT`, async (t) => {
    const { baseUrl } = await serve(t, {})
    t.deepEqual(await codesIn(t, await send(baseUrl, mutation(input))), ['BAD_USER_INPUT'])
  })

test('errors never repeat the values that were sent', async (t) => {
  const { baseUrl } = await serve(t, {})
  const bodies = [
    mutation('{apiKey: canary}'),
    mutation('"canary"'),
    { query: 'mutation { obtainToken(input: {apiKey: "k" "canary' },
    {
      query: 'mutation M($input: ObtainTokenInput!) { obtainToken(input: $input) { token } }',
      variables: { input: { apiKey: ['canary'], x: 'canary' } },
    },
  ]
  for (const body of bodies) {
    const answer = await send(baseUrl, body)
    const copy = answer.clone()
    t.true((await codesIn(t, answer)).every((code) => code === 'BAD_USER_INPUT'))
    t.notRegex(await copy.text(), /canary/)
  }
})

const noRequests = [
  [[mutation('{apiKey: "k"}')], 'not_a_dict '],
  ['text', 'not_a_dict '],
  [null, 'not_a_dict '],
  [{}, 'required query'],
  [{ query: 5, operationName: 5, variables: [] }, 'invalid query,invalid operationName,not_a_dict variables'],
] as const

for (const [body, expected] of noRequests)
  test(`what is no GraphQL request is refused: ${JSON.stringify(body).slice(0, 30)}`, async (t) => {
    const { baseUrl } = await serve(t, {})
    const answer = await send(baseUrl, body)
    const copy = answer.clone()
    t.is(await problemIn(t, answer), '400 request_failed_validation')
    const { errors } = (await copy.json()) as { errors: { code: string; attr: string }[] }
    t.is(errors.map(({ code, attr }) => `${code} ${attr}`).join(), expected)
  })

test('the body is read like every other one', async (t) => {
  const { baseUrl } = await serve(t, {})
  const address = `${baseUrl}/v1/graphql/`
  const text = { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: '{}' }
  t.is(await problemIn(t, await fetch(address, text)), '415 unsupported_media_type')
  const broken = { method: 'POST', headers: json, body: '{' }
  t.is(await problemIn(t, await fetch(address, broken)), '400 parse_error')
  const twice = { method: 'POST', headers: json, body: '{"query":"{a}","query":"{b}"}' }
  t.is(await problemIn(t, await fetch(address, twice)), '400 parse_error')
  t.is(await problemIn(t, await send(baseUrl, {}, { Accept: 'text/html' })), '406 not_acceptable')
})

for (const extensions of [5, 'text', [], true, null, {}])
  test(`what a client sends as extensions is not looked at: ${JSON.stringify(extensions)}`, async (t) => {
    const { baseUrl } = await serve(t, {})
    const answer = await send(baseUrl, { query: '{ service }', extensions, other: 5 })
    t.deepEqual(await answer.json(), { data: { service: 'account-import' } })
  })

for (const wrong of [
  { operationName: 'Other' },
  { query: '' },
  { query: ' ' },
  { query: 'subscription { a }' },
])
  test(`bad input is not taken for a fault of the service: ${JSON.stringify(wrong)}`, async (t) => {
    const { baseUrl } = await serve(t, {})
    t.deepEqual(await codesIn(t, await send(baseUrl, { query: '{ service }', ...wrong })), ['BAD_USER_INPUT'])
  })

test('who asks for the GraphQL media type gets it', async (t) => {
  const { baseUrl } = await serve(t, {})
  const type = 'application/graphql-response+json'
  const answer = await send(baseUrl, { query: '{ service }' }, { Accept: `${type}, application/json;q=0.9` })
  t.is(answer.headers.get('content-type'), `${type}; charset=utf-8`)
  const plain = await send(baseUrl, { query: '{ service }' }, { Accept: '*/*' })
  t.is(plain.headers.get('content-type'), 'application/json; charset=utf-8')
})

test("the client's address is the connection's, or the proxy's word if one is trusted", async (t) => {
  const addresses: string[] = []
  const noting: Pick<UseCases, 'obtainToken'> = {
    obtainToken: (request) => {
      addresses.push(request.address)
      return TE.left({ _tag: 'AuthenticationFailed' })
    },
  }
  const forwarded = { 'X-Forwarded-For': '6.6.6.6, 203.0.113.7' }
  const direct = await serve(t, noting)
  await send(direct.baseUrl, mutation('{apiKey: "k"}'), forwarded)
  const proxied = await serve(t, noting, { trustProxy: true })
  await send(proxied.baseUrl, mutation('{apiKey: "k"}'), forwarded)
  t.deepEqual(addresses, ['127.0.0.1', '203.0.113.7'])
})
