import { gzipSync } from 'node:zlib'
import test from 'ava'
import { codesIn, issuing, sendGraphql as send } from './support/graphql.js'
import { problemIn, serve } from './support/serve.js'

const introspection = { query: '{ __schema { queryType { name } } }' }

test('introspection is off unless it is switched on', async (t) => {
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

test('errors suggest no name of the schema unless it may be asked for', async (t) => {
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

test('five levels of fields are served, six are refused, also through fragments', async (t) => {
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

test('a document of 100 tokens is served, one of 101 is refused', async (t) => {
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
  ['8 fragments, three spreads each', `{ ...F0 } ${fan(8, 3, 'service')}`],
  ['11 fragments, two spreads each', `{ ...F0 } ${fan(11, 2, 'service')}`],
  ['8 fragments in a cycle', `{ ...F0 } ${fan(8, 3, '...F0 ...F0')}`],
  ['25 fragments, three spreads each', `{ ...F0 } ${fan(25, 3, 'service')}`],
] as const

for (const [what, query] of fans)
  // One after the other, and by processor time, so that what else runs does not count.
  test.serial(`fragments that multiply cost no time: ${what}`, async (t) => {
    const { baseUrl } = await serve(t, {})
    const begun = process.cpuUsage()
    t.is((await send(baseUrl, { query })).status, 200)
    const { user, system } = process.cpuUsage(begun)
    t.true(user + system < 1_000_000)
  })

const twice = [
  [
    'under aliases',
    'mutation { a: obtainToken(input: {apiKey: "1"}) { token } b: obtainToken(input: {apiKey: "2"}) { token } }',
  ],
  [
    'through a fragment',
    'mutation { a: obtainToken(input: {apiKey: "1"}) { token } ...F } fragment F on Mutation { b: obtainToken(input: {apiKey: "2"}) { token } }',
  ],
  [
    'in an inline fragment',
    'mutation { a: obtainToken(input: {apiKey: "1"}) { token } ... { b: obtainToken(input: {apiKey: "2"}) { token } c: obtainToken(input: {apiKey: "3"}) { token } } }',
  ],
  [
    'by a fragment that is spread twice',
    'mutation { ...F ...F } fragment F on Mutation { obtainToken(input: {apiKey: "1"}) { token } }',
  ],
] as const

for (const [how, query] of twice)
  test(`one document obtains one token: two ${how} are refused and none is tried`, async (t) => {
    const { baseUrl } = await serve(t, {})
    t.deepEqual(await codesIn(t, await send(baseUrl, { query })), ['BAD_USER_INPUT'])
  })

test('of two operations in a document the one that operationName chooses is run, and no other', async (t) => {
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

test('one token under an alias, and from a fragment, is given', async (t) => {
  const { baseUrl } = await serve(t, issuing)
  const query =
    'mutation { ...F } fragment F on Mutation { mine: obtainToken(input: {apiKey: "1"}) { token } }'
  t.deepEqual(await (await send(baseUrl, { query })).json(), { data: { mine: { token: 'for 1' } } })
})

const sized = (bytes: number): string => {
  const text = JSON.stringify({ query: '{ service }', padding: '' })
  return text.replace('"padding":""', `"padding":"${'x'.repeat(bytes - text.length)}"`)
}

test('a request of 64 KiB is read, one byte more is payload_too_large, also packed', async (t) => {
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
