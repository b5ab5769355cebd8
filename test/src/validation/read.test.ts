import { spawnSync } from 'node:child_process'
import test from 'ava'
import { E } from '@account-import/core/fp'
import { checkAccountPayload, Codec, date } from '@account-import/core/payloads'
import { check, list, optional, required, Scalar, struct } from '@account-import/core/testing'
import { generateAccounts } from '@account-import/example-generate-accounts'
import { root } from '../support/repository.js'
import { edgeValues } from './edge-values.js'
import { everyCodec } from './every-codec.js'
import { contextWith } from './support.js'

const accounts = (): readonly Record<string, unknown>[] =>
  [...generateAccounts({ count: 50 })].map(
    ({ payload }) => JSON.parse(JSON.stringify(payload)) as Record<string, unknown>,
  )

const pair = struct('pair', { first: required(date), last: optional(date) })
const [first, last] = ['2025-01-01', '2025-01-02']

const acceptedOf = <A>(codec: Codec<A>, sent: unknown): A | undefined => {
  const checked = check(codec, sent, contextWith())
  return E.isRight(checked) ? checked.right.value : undefined
}

test('an account in table order is accepted as the sent object itself', (t) => {
  for (const account of accounts()) {
    const checked = checkAccountPayload(account, contextWith())
    t.true(E.isRight(checked) && Object.is(checked.right.value, account))
  }
})

/** A codec that counts its calls. */
class Counted extends Codec<unknown> {
  readonly _tag = 'Counted'
  reads = 0

  constructor() {
    super('counted')
  }

  override read(value: unknown): unknown {
    this.reads++
    return value
  }
}

test('each value is read once, in any order of fields, with and without unknown ones', (t) => {
  for (const names of [
    ['a', 'b', 'c'],
    ['c', 'b', 'a'],
    ['b', 'unknown', 'c', 'a'],
  ]) {
    const codecs = { a: new Counted(), b: new Counted(), c: new Counted() }
    const { a, b, c } = codecs
    const codec = struct('holder', { a: required(a), b: optional(b), c: required(c) })
    acceptedOf(codec, Object.fromEntries(names.map((name) => [name, name])))
    t.deepEqual([a.reads, b.reads, c.reads], [1, 1, 1])
  }
})

test('objects with inherited, undefined or unknown fields, or in another order, are accepted as a copy in table order', (t) => {
  const inherited = Object.assign(Object.create({ last }) as object, { first })
  for (const [sent, accepted] of [
    [
      { last, first },
      { first, last },
    ],
    [{ first, last: undefined }, { first }],
    [{ first, other: 1 }, { first }],
    [inherited, { first }],
  ] as const) {
    const value = acceptedOf(pair, sent)
    t.not(value as unknown, sent)
    t.is(JSON.stringify(value), JSON.stringify(accepted))
  }
})

/** As a text: codes of errors and warnings without their paths, and the value if it is accepted. */
const resultText = (codec: Codec<unknown>, sent: unknown, held: (value: unknown) => unknown): string => {
  const checked = check(codec, sent, contextWith({ internalEmailDomains: ['example.org'] }))
  const { warnings } = E.isRight(checked) ? checked.right : checked.left
  const errors = E.isRight(checked) ? [] : checked.left.errors
  return JSON.stringify([
    ...[errors, warnings].map((entries) => entries.map(({ code, detail }) => `${code} ${detail}`)),
    ...(E.isRight(checked) ? [JSON.stringify(held(checked.right.value))] : []),
  ])
}

const shownValues = edgeValues.map((value) => String(JSON.stringify(value)).slice(0, 40))

test('every codec has the same result for a value alone, as a field, as an item, and repeated', (t) => {
  const codecs = everyCodec()
  t.true(codecs.length > 50)
  for (const codec of codecs) {
    const field = struct('holder', { it: required(codec) }) as Codec<unknown>
    const items = list(codec) as Codec<unknown>
    for (const [at, value] of edgeValues.entries()) {
      const alone = resultText(codec, value, (read) => read)
      const title = `${codec.name} ${shownValues[at]}`
      t.is(
        resultText(field, { it: value }, (read) => (read as { it: unknown }).it),
        alone,
        title,
      )
      t.is(
        resultText(items, [value], (read) => (read as unknown[])[0]),
        alone,
        title,
      )
      t.is(
        resultText(codec, value, (read) => read),
        alone,
        title,
      )
    }
  }
})

test('every codec is an io-ts type that accepts every value it reads without error, and keeps a scalar as sent', (t) => {
  for (const codec of everyCodec())
    for (const [at, value] of edgeValues.entries()) {
      const title = `${codec.name} ${shownValues[at]}`
      const decoded = codec.decode(value)
      t.is(codec.is(value), E.isRight(decoded), title)
      if (E.isRight(decoded) && codec instanceof Scalar) t.true(Object.is(decoded.right, value), title)
      if (E.isRight(decoded)) t.deepEqual(codec.decode(decoded.right), decoded, title)
    }
})

test.serial('no field is read from Object.prototype', (t) => {
  const sent = { first }
  const given = { value: last, configurable: true, enumerable: true, writable: true }
  Object.defineProperty(Object.prototype, 'last', given)
  try {
    t.is(JSON.stringify(acceptedOf(pair, sent)), JSON.stringify(sent))
    t.false(E.isRight(check(struct('holder', { last: required(date) }), {}, contextWith())))
  } finally {
    Reflect.deleteProperty(Object.prototype, 'last')
  }
})

test('no code is generated from texts at run time', (t) => {
  const program = `
    import { readFileSync } from 'node:fs'
    import { builtInSettings } from '@account-import/core'
    import { checkAccountPayload } from '@account-import/core/payloads'
    const payload = JSON.parse(readFileSync(0, 'utf8'))
    const context = { settings: builtInSettings, defaultCountry: 'ES', today: '2025-09-01' }
    process.exitCode = checkAccountPayload(payload, context)._tag === 'Right' ? 0 : 1`
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--disallow-code-generation-from-strings', '--input-type=module', '--eval', program],
    { cwd: root, encoding: 'utf8', input: JSON.stringify(accounts()[0]) },
  )
  t.is(status, 0, stderr)
})
