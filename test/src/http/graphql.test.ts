import { gzipSync } from 'node:zlib'
import { portFailure, type UseCases } from '@account-import/core'
import { E } from '@account-import/core/fp'
import test from 'ava'
import { codesIn, type GraphqlBody, issuing, mutation, sendGraphql as send } from './support/graphql.js'
import { entriesIn, problemIn, serve } from './support/serve.js'

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

test('errors never contain the values of the request', async (t) => {
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
  [
    { query: 5, operationName: 5, variables: [] },
    'invalid query, invalid operationName, not_a_dict variables',
  ],
] as const

for (const [body, expected] of noRequests)
  test(`a body that is not a GraphQL request is refused: ${JSON.stringify(body).slice(0, 30)}`, async (t) => {
    const { baseUrl } = await serve(t, {})
    t.is(await entriesIn(t, await send(baseUrl, body)), `400 request_failed_validation, ${expected}`)
  })

test('the body is read by the rules of every other body', async (t) => {
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
  test(`the extensions of a request are ignored: ${JSON.stringify(extensions)}`, async (t) => {
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
  test(`bad input is BAD_USER_INPUT, not a failure of the service: ${JSON.stringify(wrong)}`, async (t) => {
    const { baseUrl } = await serve(t, {})
    t.deepEqual(await codesIn(t, await send(baseUrl, { query: '{ service }', ...wrong })), ['BAD_USER_INPUT'])
  })

test('the response has the GraphQL media type when Accept has it', async (t) => {
  const { baseUrl } = await serve(t, {})
  const type = 'application/graphql-response+json'
  const answer = await send(baseUrl, { query: '{ service }' }, { Accept: `${type}, application/json;q=0.9` })
  t.is(answer.headers.get('content-type'), `${type}; charset=utf-8`)
  const plain = await send(baseUrl, { query: '{ service }' }, { Accept: '*/*' })
  t.is(plain.headers.get('content-type'), 'application/json; charset=utf-8')
})

test('the address of the client is that of the connection, or the forwarded one when a proxy is trusted', async (t) => {
  const addresses: string[] = []
  const noting: Pick<UseCases, 'obtainToken'> = {
    obtainToken: async (request) => {
      addresses.push(request.address)
      return E.left({ _tag: 'AuthenticationFailed' })
    },
  }
  const forwarded = { 'X-Forwarded-For': '6.6.6.6, 203.0.113.7' }
  const direct = await serve(t, noting)
  await send(direct.baseUrl, mutation('{apiKey: "k"}'), forwarded)
  const proxied = await serve(t, noting, { trustProxy: true })
  await send(proxied.baseUrl, mutation('{apiKey: "k"}'), forwarded)
  t.deepEqual(addresses, ['127.0.0.1', '203.0.113.7'])
})

const introspection = { query: '{ __schema { queryType { name } } }' }

test('introspection is off unless it is configured', async (t) => {
  const { baseUrl } = await serve(t, {})
  t.true((await codesIn(t, await send(baseUrl, introspection))).length > 0)
  t.deepEqual(await (await send(baseUrl, { query: '{ service }' })).json(), {
    data: { service: 'account-import' },
  })
  const told = await serve(t, {}, { introspection: true })
  t.deepEqual(await codesIn(t, await send(told.baseUrl, introspection)), [])
})

const misspelled = [
  { query: '{ servize }' },
  { query: 'mutation { obtainTokn(input: {apiKey: "k"}) { token } }' },
  { query: 'mutation { obtainToken(inpud: {apiKey: "k"}) { token } }' },
  { query: 'mutation { obtainToken(input: {apiKee: "k"}) { token } }' },
  { query: 'mutation M($i: ObtainTokenInputs!) { obtainToken(input: $i) { token } }' },
]

test('errors suggest names of the schema only when introspection is on', async (t) => {
  const [silent, told] = [await serve(t, {}), await serve(t, {}, { introspection: true })]
  for (const body of misspelled) {
    t.notRegex(await (await send(silent.baseUrl, body)).text(), /Did you mean/, body.query)
    t.regex(await (await send(told.baseUrl, body)).text(), /Did you mean/, body.query)
  }
})

const typeOf = (levels: number): string => (levels === 0 ? 'name' : `ofType { ${typeOf(levels - 1)} }`)
const nested = (levels: number): Readonly<{ query: string }> => ({
  query: `{ __type(name: "Query") { ${typeOf(levels - 2)} } }`,
})

test('five levels of fields are served and six are refused, also through fragments', async (t) => {
  const { baseUrl } = await serve(t, {}, { introspection: true })
  t.deepEqual(await codesIn(t, await send(baseUrl, nested(5))), [])
  t.deepEqual(await codesIn(t, await send(baseUrl, nested(6))), ['BAD_USER_INPUT'])
  const fragments =
    '{ __type(name: "Query") { ...A } } fragment A on __Type { ofType { ofType { ...B } } } ' +
    'fragment B on __Type { ... on __Type { ofType { ofType { name } } } }'
  t.deepEqual(await codesIn(t, await send(baseUrl, { query: fragments })), ['BAD_USER_INPUT'])
  const cycle = '{ __type(name: "Q") { ...A } } fragment A on __Type { ofType { ...A } }'
  t.true((await codesIn(t, await send(baseUrl, { query: cycle }))).length > 0)
})

test('a document of 100 tokens is served and one of 101 is refused', async (t) => {
  const { baseUrl } = await serve(t, {})
  const query = `{ ${'service '.repeat(98)}}`
  t.deepEqual(await codesIn(t, await send(baseUrl, { query })), [])
  t.deepEqual(await codesIn(t, await send(baseUrl, { query: `${query}#` })), [])
  const longer = `{ ${'service '.repeat(99)}}`
  t.deepEqual(await codesIn(t, await send(baseUrl, { query: longer })), ['BAD_USER_INPUT'])
})

/** Fragments that each spread the next one `spreads` times; the last one spreads `last`. */
const fan = (fragments: number, spreads: number, last: string): string =>
  Array.from({ length: fragments }, (_, i) => {
    const inside = i === fragments - 1 ? last : `...F${i + 1} `.repeat(spreads)
    return `fragment F${i} on Query { ${inside} }`
  }).join(' ')

const fans = [
  ['6 fragments, five spreads each', `{ ...F0 } ${fan(6, 5, 'service')}`],
  ['6 fragments in a cycle', `{ ...F0 } ${fan(6, 5, '...F0 ...F0')}`],
] as const

for (const [what, query] of fans)
  // In series, and by processor time, so that other work on the machine does not count.
  test.serial(`fragments that multiply take little time: ${what}`, async (t) => {
    const { baseUrl } = await serve(t, {})
    const begun = process.cpuUsage()
    t.is((await send(baseUrl, { query })).status, 200)
    const { user, system } = process.cpuUsage(begun)
    t.true(user + system < 1_000_000)
  })

test('each obtainToken of one document is an attempt of its own', async (t) => {
  const attempts: string[] = []
  const { baseUrl } = await serve(t, {
    obtainToken: async (request) => {
      attempts.push(JSON.stringify(request.credentials))
      return attempts.length === 1 ? issuing.obtainToken(request) : E.left({ _tag: 'AuthenticationFailed' })
    },
  })
  const query =
    'mutation { a: obtainToken(input: {apiKey: "1"}) { token } b: obtainToken(input: {apiKey: "2"}) { token } }'
  const answer = (await (await send(baseUrl, { query })).json()) as GraphqlBody
  t.like(answer, { data: { a: { token: 'for 1' }, b: null } })
  t.deepEqual(attempts, ['{"apiKey":"1"}', '{"apiKey":"2"}'])
})

test('operationName chooses the one operation of a document that runs', async (t) => {
  const { baseUrl } = await serve(t, issuing)
  const query =
    'mutation A { obtainToken(input: {apiKey: "1"}) { token } } mutation B { obtainToken(input: {apiKey: "2"}) { token } }'
  for (const [operationName, token] of [
    ['A', 'for 1'],
    ['B', 'for 2'],
  ]) {
    const answer = await send(baseUrl, { query, operationName })
    t.deepEqual(await answer.json(), { data: { obtainToken: { token } } })
  }
  for (const body of [{ query }, { query, operationName: 'C' }])
    t.is((await codesIn(t, await send(baseUrl, body))).length, 1)
})

test('one token is returned under an alias and from a fragment', async (t) => {
  const { baseUrl } = await serve(t, issuing)
  const query =
    'mutation { ...F } fragment F on Mutation { mine: obtainToken(input: {apiKey: "1"}) { token } }'
  t.deepEqual(await (await send(baseUrl, { query })).json(), { data: { mine: { token: 'for 1' } } })
})

const sized = (bytes: number): string => {
  const text = JSON.stringify({ query: '{ service }', padding: '' })
  return text.replace('"padding":""', `"padding":"${'x'.repeat(bytes - text.length)}"`)
}

test('a request of 64 KiB is read, and one more byte is payload_too_large, also compressed', async (t) => {
  const { baseUrl } = await serve(t, {})
  const address = `${baseUrl}/v1/graphql/`
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' } }
  t.is((await fetch(address, { ...init, body: sized(65_536) })).status, 200)
  const refused = await fetch(address, { ...init, body: sized(65_537) })
  const copy = refused.clone()
  t.is(await problemIn(t, refused), '413 payload_too_large')
  t.regex(await copy.text(), /65536/)
  const packed = { ...init.headers, 'Content-Encoding': 'gzip' }
  const bomb = gzipSync(sized(5_000_000))
  t.is(
    await problemIn(t, await fetch(address, { ...init, headers: packed, body: bomb })),
    '413 payload_too_large',
  )
})

const cause = new Error('SELECT canary')

const failures = [
  [{ _tag: 'AuthenticationFailed' }, 200, null, 'info', { code: 'AUTHENTICATION_FAILED' }],
  [
    { _tag: 'TooManyAttempts', retryAfterSeconds: 60 },
    200,
    '60',
    'info',
    { code: 'TOO_MANY_ATTEMPTS', retryAfterSeconds: 60 },
  ],
  [portFailure('unavailable', 'apiKeys', 'find', cause), 503, '2', 'warn', { code: 'SERVICE_UNAVAILABLE' }],
  [portFailure('unexpected', 'apiKeys', 'find', cause), 500, null, 'error', { code: 'INTERNAL' }],
] as const

for (const [failure, status, retryAfter, level, extensions] of failures)
  for (const accept of ['application/json', 'application/graphql-response+json'])
    test(`${extensions.code} as ${accept} has status ${status}, nothing of its cause, and a log entry of level ${level}`, async (t) => {
      const { baseUrl, logged } = await serve(t, { obtainToken: async () => E.left(failure) })
      const answer = await send(baseUrl, mutation('{apiKey: "k"}'), { Accept: accept })
      t.is(answer.status, status)
      t.is(answer.headers.get('retry-after'), retryAfter)
      t.is(answer.headers.get('content-type'), `${accept}; charset=utf-8`)
      t.is(answer.headers.get('www-authenticate'), null)
      const text = await answer.text()
      t.notRegex(text, /SELECT|canary|stack/)
      const { data, errors } = JSON.parse(text) as GraphqlBody
      t.deepEqual(data, { obtainToken: null })
      t.deepEqual(
        errors?.map((error) => error.extensions),
        [extensions],
      )
      t.like(logged[0], { level, code: extensions.code })
      t.is(logged[0]?.failure?.port, failure._tag === 'PortFailure' ? 'apiKeys' : undefined)
    })

const throwing = {
  'throws at once': () => {
    throw new TypeError('canary')
  },
  rejects: async () => {
    throw new TypeError('canary')
  },
}

for (const [how, obtainToken] of Object.entries(throwing))
  test(`a use case that ${how} is INTERNAL with status 500, logged by name without its message`, async (t) => {
    const { baseUrl, logged } = await serve(t, { obtainToken })
    const answer = await send(baseUrl, mutation('{apiKey: "k"}'))
    t.is(answer.status, 500)
    const text = await answer.text()
    t.regex(text, /"code":"INTERNAL"/)
    t.notRegex(text, /canary/)
    t.like(logged[0], {
      level: 'error',
      code: 'INTERNAL',
      failure: { kind: 'unexpected', name: 'TypeError' },
    })
  })

test('a reused refresh token gets the response of a wrong one, and a warning in the log names its key', async (t) => {
  const reused = { _tag: 'RefreshTokenReused', apiKeyId: 'ab12cd34ef56' } as const
  const { baseUrl, logged } = await serve(t, { obtainToken: async () => E.left(reused) })
  const wrong = await serve(t, { obtainToken: async () => E.left({ _tag: 'AuthenticationFailed' }) })
  const input = mutation('{refreshToken: "r"}')
  t.is(await (await send(baseUrl, input)).text(), await (await send(wrong.baseUrl, input)).text())
  t.like(logged[0], { level: 'warn', refreshTokenReused: { apiKeyId: 'ab12cd34ef56' } })
  t.is(wrong.logged[0]?.refreshTokenReused, undefined)
})
