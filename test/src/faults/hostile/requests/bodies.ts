import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { sample } from '../../../support/samples.js'
import { mutate, mutations, type Mutation, originals } from '../../../validation/mutations.js'
import { isObject, type DeclaredBody } from '../contract.js'
import { canary, texts, type Account, type BodyFor } from '../request.js'
import { fromSchema } from './from-schema.js'
import { graphqlBodies } from './graphql.js'
import { about, additions } from './well-meant.js'

const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'utf8')

/** Bodies that are no JSON, or JSON that nobody means. */
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

/** Around the limits of what is read in one piece, and of what is read at all; made once, as they are long. */
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

/** What ends a line, blank lines among it. */
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
  if (/^(validateAccount|stageAccount|bulkValidate|bulkStage)$/.test(id)) return originals
  const file = additions[id]
  return [JSON.stringify(example), ...(file === undefined ? [] : [JSON.stringify(sample(file))])]
}

/** One value in place of another, somewhere: what is wrong is then not hidden behind other faults. */
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

/** Bodies for an endpoint: such as it takes, such as it nearly takes, and bytes that mean nothing. */
export const bodiesFor = (id: string, body: DeclaredBody): fc.Arbitrary<BodyFor> =>
  fc.oneof({ weight: 7, arbitrary: meant(id, body) }, { weight: 1, arbitrary: anyJunk })
