import { obtainTokenMutation } from '@account-import/http-contract'
import fc from 'fast-check'
import { canary, texts, type BodyFor } from '../request.js'

/** Documents that a service meets: such as clients send, and such as nobody should. */
const documents: readonly string[] = [
  obtainTokenMutation,
  ...texts(
    `{apiKey: "x"}|{apiKey: "${canary}", refreshToken: "${canary}"}|{}`,
    `{apiKey: ${'['.repeat(50)}1${']'.repeat(50)}}|{apiKey: "${canary}|{apiKey: """${canary}"""}`,
    `{apiKey: "\\ud800"}|{apiKey: 1e999}|{nothing: "${canary}"}`,
  ).map((input) => `mutation { obtainToken(input: ${input}) { token expiresAt } }`),
  'mutation { a: obtainToken(input: {apiKey: "x"}) { token } b: obtainToken(input: {apiKey: "y"}) { token } }',
  'mutation A { obtainToken(input: {apiKey: "x"}) { token } } mutation B { obtainToken(input: {apiKey: "y"}) { token } }',
  'mutation { ...F } fragment F on Mutation { ...G } fragment G on Mutation { ...F }',
  ...texts(
    'query { service }|{ service service @skip(if: true) }|{ __schema { types { name fields { name } } } }',
    '{ __type(name: "Query") { name } }|{ __typename }|subscription { service }|type A { b: C }',
  ),
  `{ ${'a { '.repeat(60)}${' }'.repeat(60)} }`,
  `{ ${Array.from({ length: 99 }, (_, i) => `a${i}: service`).join(' ')} }`,
  ...texts(
    `{ nothing }|{ service(a: "${canary}") }|query ($a: Nothing!) { service }`,
    'query ($a: [Int!]! = [1]) { service }',
  ),
  ...texts('|{|#|\u0000|\uFEFF{ service }|{ service @include(if: $missing) }'),
]

const inputs = [
  [{ apiKey: canary }, { apiKey: 'aik_0_x' }, { refreshToken: canary }],
  [{ apiKey: null, refreshToken: null }, { apiKey: [canary] }, { apiKey: { a: 1 } }],
  [canary, null, { apiKey: 'x'.repeat(60_000) }],
].flatMap((some) => some.map((input) => ({ input })))

const variables = fc.oneof(
  fc.constantFrom<unknown>(
    ...inputs,
    { __proto__: null, input: { constructor: 1 } },
    null,
    undefined,
    [],
    '',
    7,
  ),
  fc.jsonValue({ maxDepth: 2 }),
)

const requests = fc.record({
  query: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom<unknown>(...documents) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 1 }) },
  ),
  variables,
  operationName: fc.constantFrom<unknown>(undefined, null, 'A', 'B', 'ObtainToken', '', '__proto__', 7, {}),
  extensions: fc.constantFrom<unknown>(
    undefined,
    { persistedQuery: { version: 1, sha256Hash: 'x' } },
    canary,
  ),
})

/** Requests for a token: with the right key, with wrong ones, and everything that is no request. */
export const graphqlBodies: fc.Arbitrary<BodyFor> = fc
  .record({ request: requests, isRight: fc.nat(9), isBatch: fc.nat(9) })
  .map(({ request, isRight, isBatch }) => ({ apiKey }) => {
    const right = { query: obtainTokenMutation, variables: { input: { apiKey } } }
    const one = isRight === 0 ? right : request
    return { bytes: Buffer.from(JSON.stringify(isBatch === 0 ? [one, one] : one), 'utf8') }
  })
