import { obtainTokenMutation } from '@account-import/http-contract'
import fc from 'fast-check'
import { canary } from '../contract/leaks.js'
import type { BodyFor } from '../request.js'

const obtain = (input: string): string => `mutation { obtainToken(input: ${input}) { token expiresAt } }`

/** Documents that a service meets: such as clients send, and such as nobody should. */
const documents: readonly string[] = [
  obtainTokenMutation,
  obtain('{apiKey: "x"}'),
  obtain(`{apiKey: "${canary}", refreshToken: "${canary}"}`),
  obtain('{}'),
  obtain(`{apiKey: ${'['.repeat(50)}1${']'.repeat(50)}}`),
  obtain(`{apiKey: "${canary}`),
  obtain(`{apiKey: """${canary}"""}`),
  obtain('{apiKey: "\\ud800"}'),
  obtain('{apiKey: 1e999}'),
  obtain(`{nothing: "${canary}"}`),
  'mutation { a: obtainToken(input: {apiKey: "x"}) { token } b: obtainToken(input: {apiKey: "y"}) { token } }',
  'mutation A { obtainToken(input: {apiKey: "x"}) { token } } mutation B { obtainToken(input: {apiKey: "y"}) { token } }',
  'mutation { ...F } fragment F on Mutation { ...G } fragment G on Mutation { ...F }',
  'query { service }',
  '{ service service @skip(if: true) }',
  '{ __schema { types { name fields { name } } } }',
  '{ __type(name: "Query") { name } }',
  '{ __typename }',
  'subscription { service }',
  'type A { b: C }',
  `{ ${'a { '.repeat(60)}${' }'.repeat(60)} }`,
  `{ ${Array.from({ length: 99 }, (_, i) => `a${i}: service`).join(' ')} }`,
  '{ nothing }',
  `{ service(a: "${canary}") }`,
  'query ($a: Nothing!) { service }',
  'query ($a: [Int!]! = [1]) { service }',
  '',
  '{',
  '#',
  '\u0000',
  '\uFEFF{ service }',
  '{ service @include(if: $missing) }',
]

const variables = fc.oneof(
  fc.constantFrom<unknown>(
    { input: { apiKey: canary } },
    { input: { apiKey: 'aik_0_x' } },
    { input: { refreshToken: canary } },
    { input: { apiKey: null, refreshToken: null } },
    { input: { apiKey: [canary] } },
    { input: { apiKey: { a: 1 } } },
    { input: canary },
    { input: null },
    { input: { apiKey: 'x'.repeat(60_000) } },
    { __proto__: null, input: { constructor: 1 } },
    null,
    undefined,
    [],
    '',
    7,
  ),
  fc.jsonValue({ maxDepth: 2 }),
)

const operationNames = fc.constantFrom<unknown>(
  undefined,
  null,
  'A',
  'B',
  'ObtainToken',
  '',
  '__proto__',
  7,
  {},
)

const requests = fc.record({
  query: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom<unknown>(...documents) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 1 }) },
  ),
  variables,
  operationName: operationNames,
  extensions: fc.constantFrom<unknown>(
    undefined,
    { persistedQuery: { version: 1, sha256Hash: 'x' } },
    canary,
  ),
})

/** Requests for a token: with the right key, with wrong ones, and everything that is no request. */
export const graphqlBodies: fc.Arbitrary<BodyFor> = fc
  .record({
    request: requests,
    isRight: fc.integer({ min: 0, max: 9 }),
    isBatch: fc.integer({ min: 0, max: 9 }),
  })
  .map(({ request, isRight, isBatch }) => ({ apiKey }) => {
    const right = { query: obtainTokenMutation, variables: { input: { apiKey } } }
    const one = isRight === 0 ? right : request
    return { bytes: Buffer.from(JSON.stringify(isBatch === 0 ? [one, one] : one), 'utf8') }
  })
