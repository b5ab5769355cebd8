import fc from 'fast-check'
import { isObject, referred, type DeclaredBody } from '../contract.js'
import { canary, texts, type Account, type BodyFor } from '../exchange.js'
import { obtainTokenMutation } from '@account-import/http-contract'
import { gzipSync } from 'node:zlib'
import { sample } from '../../../support/samples.js'
import { mutate, mutations, type Mutation, originals } from '../../../validation/mutations.js'
import { about, additions } from './well-meant.js'

type Schema = Readonly<{
  $ref?: string
  type?: string | readonly string[]
  enum?: readonly unknown[]
  anyOf?: readonly Schema[]
  allOf?: readonly Readonly<{ pattern: string }>[]
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  items?: Schema
  pattern?: string
  maxLength?: number
  minimum?: number
  maximum?: number
}>

/** The number of texts for each pattern; they do not depend on the seed of a run. */
const pool = 40

const pools = new Map<string, fc.Arbitrary<string>>()

const free = (maxLength: number): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.string({ minLength: 1, maxLength: Math.min(maxLength, 20), unit: 'binary' }) },
    { weight: 2, arbitrary: fc.constant(canary.slice(0, maxLength)) },
    { weight: 1, arbitrary: fc.constantFrom('ñ'.repeat(maxLength), 'ñ'.repeat(maxLength + 1)) },
  )

const matching = (pattern: string, also: readonly string[], maxLength: number): fc.Arbitrary<string> => {
  const forms = also.map((each) => new RegExp(each, 'u'))
  const made = fc
    .stringMatching(new RegExp(pattern, 'u'), { size: 'small' })
    .filter((text) => text.length <= maxLength && forms.every((form) => form.test(text)))
  return fc.constantFrom(...fc.sample(made, { seed: 1, numRuns: pool }))
}

const textOf = ({ pattern, allOf = [], maxLength = 1000 }: Schema): fc.Arbitrary<string> => {
  if (pattern === undefined || /^\^\[\^[^\]]*\]\*\$$/.test(pattern)) return free(maxLength)
  const also = allOf.map((each) => each.pattern)
  const key = `${pattern} ${also.join(' ')} ${maxLength}`
  const known = pools.get(key) ?? matching(pattern, also, maxLength)
  pools.set(key, known)
  return known
}

const sometimes = (value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value })

/** JSON leaves undefined fields out. */
const objectOf = ({ properties = {}, required = [] }: Schema): fc.Arbitrary<unknown> =>
  fc.record(
    Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => {
        const value = fromSchema(schema)
        return [name, required.includes(name) ? value : sometimes(value)]
      }),
    ),
  )

const ofType = (schema: Schema, type?: string): fc.Arbitrary<unknown> => {
  const { minimum = 0, maximum = 1_000_000 } = schema
  switch (type) {
    case 'string':
      return textOf(schema)
    case 'integer':
      return fc.integer({ min: minimum, max: Math.max(minimum, maximum) })
    case 'number':
      return fc.integer({ min: Math.max(minimum, -1_000_000) * 100, max: 100_000_000 }).map((n) => n / 100)
    case 'boolean':
      return fc.boolean()
    case 'array':
      return fc.array(fromSchema(schema.items ?? {}), { maxLength: 2 })
    case 'object':
      return schema.properties === undefined ? fc.dictionary(fc.string(), fc.jsonValue()) : objectOf(schema)
    default:
      return fc.jsonValue()
  }
}

const references = new Map<string, fc.Arbitrary<unknown>>()

const ofReference = (reference: string): fc.Arbitrary<unknown> => {
  const made = references.get(reference) ?? fromSchema(referred(reference))
  references.set(reference, made)
  return made
}

/** Values that a schema of the document accepts, as far as its patterns and limits go; texts mostly are not. */
const fromSchema = (schema: Schema): fc.Arbitrary<unknown> => {
  if (schema.$ref !== undefined) return ofReference(schema.$ref)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(fromSchema))
  return fc.oneof(...[schema.type].flat().map((type) => ofType(schema, type)))
}

/** Documents for a service: as clients send, and as none should send. */
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
const graphqlBodies: fc.Arbitrary<BodyFor> = fc
  .record({ request: requests, isRight: fc.nat(9), isBatch: fc.nat(9) })
  .map(({ request, isRight, isBatch }) => ({ apiKey }) => {
    const right = { query: obtainTokenMutation, variables: { input: { apiKey } } }
    const one = isRight === 0 ? right : request
    return { bytes: Buffer.from(JSON.stringify(isBatch === 0 ? [one, one] : one), 'utf8') }
  })

const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'utf8')

/** Bodies that are no JSON, or JSON without a meaning. */
const junk: readonly Uint8Array[] = [
  ...texts(
    `| |null|true|0|-|1e400|-0|[]|[{}]|{}|""|"${canary}"|{"a":|{"a":1,}|{a:1}|{'a':1}|{} {}|NaN|undefined`,
    '\uFEFF{}|\uFEFF\uFEFF{}|{"a":1,"a":2}|{"import_supplier":"A","import_supplier":{"b":[]}}',
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}|{"__proto__":null}',
    '{"toString":1,"valueOf":1,"hasOwnProperty":1,"then":1}|"\\ud800"|{"\\ud800":"\\udfff"}|"\\u0000"',
    `{"a":"\u0001"}|{"a\\u0000b":1}|{"a":${'9'.repeat(400)}}|{"a":0.${'1'.repeat(400)}e-400}`,
    `{"${'k'.repeat(70_000)}":1}|[${'0,'.repeat(10_001)}0]|${'['.repeat(33) + ']'.repeat(33)}`,
    `${'['.repeat(32) + ']'.repeat(32)}|${'['.repeat(100_000)}|${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
    '{"a":"\u2028\u2029\u202e"}',
    '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
    'import_supplier=A&external_account_number=B',
    '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--',
  ).map(bytesOf),
  Uint8Array.from([0x22, 0xe9, 0x22]),
  Uint8Array.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
  Uint8Array.from([0xff, 0xfe, 0x22, 0x00, 0x22, 0x00]),
  Uint8Array.from([0x00]),
  Uint8Array.from([0x1f, 0x8b]),
  gzipSync('{}'),
  gzipSync(gzipSync('{}')),
]

/** Near the limits of one chunk and of a whole body; made once, as they are long. */
const longBodies = [
  `{"billing_name":"${'x'.repeat(262_144)}"}`,
  `{"notes":[${'{},'.repeat(100_000)}{}]}`,
  `"${'a'.repeat(5_242_878)}"`,
  `"${'a'.repeat(5_242_879)}"`,
].map(bytesOf)

const anyJunk: fc.Arbitrary<BodyFor> = fc
  .oneof(
    { weight: 80, arbitrary: fc.constantFrom(...junk) },
    { weight: 1, arbitrary: fc.constantFrom(...longBodies) },
  )
  .map((bytes) => () => ({ bytes }))

/** Line ends, blank lines among them. */
const ends = fc.constantFrom('\n', '\r\n', '\n\n', '\n \t\r\n')

const badLines = texts(
  `{|null|[]|{"a":1}|\uFEFF{}|\u0000|{"import_supplier":"\\ud800"}|${'['.repeat(40)}|"x"|1e999`,
  'x'.repeat(10_000),
)

type Values = fc.Arbitrary<(account: Account) => unknown>

/** Lines of JSON values and of other things; the last one may have no end. */
const linesOf = (values: Values): fc.Arbitrary<BodyFor> => {
  const good = values.map((value) => (account: Account) => JSON.stringify(value(account)) ?? 'null')
  const line = fc.oneof(
    { weight: 4, arbitrary: good },
    { weight: 1, arbitrary: fc.constantFrom(...badLines).map((text) => () => text) },
  )
  return fc
    .tuple(fc.array(fc.tuple(line, ends), { maxLength: 6 }), fc.boolean())
    .map(([lines, isEnded]) => (account) => {
      const text = lines.map(([textOf, end]) => textOf(account) + end).join('')
      return { bytes: bytesOf(isEnded ? text : text.trimEnd()), lineCount: lines.length }
    })
}

/** Bodies that are accepted somewhere, by the endpoint that takes them. */
const wellFormed = (id: string, example: unknown): readonly string[] => {
  if (/^(validateAccount|stageAccount|bulkValidate|bulkStage|bulkImport)$/.test(id)) return originals
  const file = additions[id]
  return [JSON.stringify(example), ...(file === undefined ? [] : [JSON.stringify(sample(file))])]
}

/** One value replaces another: other faults do not hide that one. */
const oneWrong: fc.Arbitrary<readonly Mutation[]> = fc
  .record({
    steps: fc.array(fc.nat(40), { maxLength: 5 }),
    kind: fc.constant('replace' as const),
    value: fc.constantFrom<unknown>(null, 0, -1, '', ' ', canary, [], {}, true, 1e21, '\u0000', '\ud800'),
    key: fc.constant(''),
    place: fc.nat(40),
  })
  .map((one) => [one])

const changesOf: fc.Arbitrary<readonly Mutation[]> = fc.oneof(
  { weight: 2, arbitrary: fc.constant([]) },
  { weight: 3, arbitrary: oneWrong },
  { weight: 2, arbitrary: mutations },
)

/** Values that are mostly wrong somewhere, three of four about the account of the sequence. */
const valuesFor = (id: string, { schema, example }: DeclaredBody): Values => {
  const good = fc.constantFrom(...wellFormed(id, example)).map((text) => JSON.parse(text) as unknown)
  return fc
    .record({
      value: fc.oneof({ weight: 2, arbitrary: fromSchema(schema) }, { weight: 3, arbitrary: good }),
      changes: changesOf,
      isBound: fc.integer({ min: 0, max: 3 }),
    })
    .map(({ value, changes, isBound }) => (account) => {
      const own: unknown = structuredClone(value)
      if (!isObject(own)) return own
      const changed = isBound > 0 ? about(own, account) : own
      mutate(changed, changes)
      return changed
    })
}

const meant = (id: string, body: DeclaredBody): fc.Arbitrary<BodyFor> => {
  if (id === 'obtainToken') return graphqlBodies
  const values = valuesFor(id, body)
  if (body.type !== 'application/json') return linesOf(values)
  return values.map((value) => (account) => {
    const text = JSON.stringify(value(account)) ?? 'null'
    return { bytes: bytesOf(text), value: { json: JSON.parse(text) as unknown } }
  })
}

/** Bodies for an endpoint: accepted ones, nearly accepted ones, and bytes without a meaning. */
export const bodiesFor = (id: string, body: DeclaredBody): fc.Arbitrary<BodyFor> =>
  fc.oneof({ weight: 7, arbitrary: meant(id, body) }, { weight: 1, arbitrary: anyJunk })
