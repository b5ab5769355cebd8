import test from 'ava'
import fc from 'fast-check'
import {
  accountPayload,
  check,
  Codec,
  date,
  datetime,
  documentPath,
  E,
  email,
  freeObject,
  key,
  list,
  money,
  optional,
  required,
  struct,
  term,
  type CheckContext,
  type Failed,
  type Findings,
  type Location,
  type Reader,
  type RuleSettings,
} from '@account-import/core'
import { generateAccounts } from '@account-import/example-generate-accounts'
import { mutate, mutations } from './mutations.js'
import { originals } from './originals.js'
import { contextWith } from './support.js'

/** The same codec, but of a class that nothing is known of, so that it is always read by itself. */
class ReadByItself<A> extends Codec<A> {
  readonly _tag = 'ReadByItself'
  readonly inner: Reader<A>
  reads = 0

  constructor(inner: Reader<A>) {
    super(inner.name)
    this.inner = inner
  }

  override read(value: unknown, at: Location, findings: Findings): A | Failed {
    this.reads++
    return this.inner.read(value, at, findings)
  }
}

const byItself = new ReadByItself(accountPayload)

const settings: readonly Partial<RuleSettings>[] = [
  {},
  { severities: { unknown_field: 'off', doubtful_phone_number: 'off' } },
  { severities: { unknown_field: 'error', possible_test_email_address: 'error' } },
  { closedLists: { reason: { members: ['ACCOUNT_CHARGE_PAYMENT'], severity: 'warn' } } },
  { closedLists: { tax_type: { members: ['VAT'], severity: 'error' } } },
  { internalEmailDomains: ['example.org'] },
]

const contexts: readonly CheckContext[] = settings.map((each) => contextWith(each))

const outcomeOf = <A>(codec: Codec<A>, payload: unknown, context: CheckContext): string => {
  const checked = check(codec, payload, context)
  return JSON.stringify(E.isLeft(checked) ? checked.left : ['accepted', checked.right])
}

const sameBothWays = (payload: unknown): void => {
  for (const context of contexts)
    if (outcomeOf(accountPayload, payload, context) !== outcomeOf(byItself, payload, context))
      throw new Error('another outcome')
}

const numRuns = Number(process.env['PROPERTY_RUNS'] ?? 400)

test('quick or not, the outcome is the same to the byte, whatever is changed in an account', (t) => {
  fc.assert(
    fc.property(fc.nat(originals.length - 1), mutations, (original, changes) => {
      const payload = JSON.parse(originals[original] ?? '{}') as Record<string, unknown>
      mutate(payload, changes)
      sameBothWays(payload)
    }),
    { numRuns, includeErrorInReport: true },
  )
  t.pass()
})

test('the same where one field of an account is changed, and the rest is as it was generated', (t) => {
  const valid = [...generateAccounts({ count: 30 })].map(({ payload }) => JSON.stringify(payload))
  fc.assert(
    fc.property(fc.nat(valid.length - 1), mutations, (original, [change]) => {
      const payload = JSON.parse(valid[original] ?? '{}') as Record<string, unknown>
      mutate(payload, change === undefined ? [] : [change])
      sameBothWays(payload)
    }),
    { numRuns, includeErrorInReport: true },
  )
  t.pass()
})

/** Every scalar that has a quick way, with values at the limits of that way. */
const edges: readonly (readonly [Reader<unknown>, readonly unknown[]])[] = [
  [date, ['1899-12-31', '1900-01-01', '1900-02-29', '2000-02-29', '2023-02-29', '2024-02-29', '9999-12-31']],
  [date, ['2024-04-31', '2024-06-30', '2024-08-31', '2024-07-31', '2024-09-31', '2024-00-10', '2024-13-10']],
  [
    date,
    ['2024-01-00', '2024-01-32', '2024/01/01', '٢٠24-01-01', '2024-1-011', '2024-01-01 ', '', null, 20240101],
  ],
  [
    datetime,
    ['2024-01-01T23:59:59Z', '2024-01-01T24:00:00Z', '2024-01-01T10:60:00Z', '2024-01-01T10:00:60Z'],
  ],
  [
    datetime,
    ['2024-02-30T10:00:00Z', '2024-02-29T10:00:00Z', '2024-01-01t10:00:00Z', '2024-01-01T10:00:00z'],
  ],
  [
    money,
    ['12.50', '12.500', '12.501', '-0', '-0.00', '.5', '5.', '00', '01', '0.1', '1234567890', '12345678901'],
  ],
  [
    money,
    [0, -0, 1e-7, 0.1 + 0.2, 12.5, 9_999_999_999.99, 1e10, '1e3', '+1', '-', '', ' 1', '1 ', Number.NaN],
  ],
  [money, [`0.${'0'.repeat(62)}`, `0.${'0'.repeat(63)}`, '٣', {}, [], true]],
  [
    term(4),
    [
      'abcd',
      'abcde',
      '😀😀😀😀',
      '😀😀😀😀😀',
      '\ud800',
      'a\ud800',
      'a\u0000',
      ' a',
      '\u00a0',
      '\u2028x',
      'ñ',
      '',
    ],
  ],
  [key(4), ['abcd', 'a b', ' ab', 'a\tb', 'a\u007f', 'a\u0080', 'ñandu', 'ñ', '\u001f', 'a\n']],
  [
    term(65_536),
    ['x'.repeat(65_536), 'x'.repeat(65_537), 'ñ'.repeat(40_000), '€'.repeat(21_845), '€'.repeat(21_846)],
  ],
  [
    email,
    ['ana@example.org', 'test@example.org', 'ana@test.com', 'ana@test.co.uk', 'xxx@a.es', 'a@b.test', 'a@b'],
  ],
  [
    email,
    ['Ana@Example.org', 'TEST@example.org', 'a..b@c.es', 'a@-b.es', 'a@b-.es', `a@${'b'.repeat(64)}.es`],
  ],
  [
    email,
    [`${'a'.repeat(64)}@b.es`, `${'a'.repeat(65)}@b.es`, 'a@b.c', 'a@1.23', 'a@localhost', 'a@x.localhost'],
  ],
  [
    documentPath,
    ['a/b.pdf', 'a//b', '/a', 'a/', 'a/../b', '..', 'a/.b', 'a/./b', 'c:x', 'a b/c', 'a%2e%2e/b', 'ａ/b'],
  ],
  [documentPath, ['http://a', 'a\\b', 'a/b\n', ' a', 'a ', '.', 'x'.repeat(1024), 'x'.repeat(1025)]],
  [
    freeObject,
    [
      {},
      { a: 1 },
      { a: 1e21 },
      { a: 0.1 + 0.2 },
      { a: '\u0000' },
      { a: [1, '\ud800'] },
      { a: { b: { c: {} } } },
    ],
  ],
  [freeObject, [{ a: undefined }, { a: () => 1 }, [], null, new Date(0), new Map(), Object.create({ a: 1 })]],
]

test('the same at the limits of each kind of value', (t) => {
  for (const [codec, values] of edges)
    for (const value of values)
      for (const context of contexts) {
        const quick = struct('holder', { it: required(codec) })
        const sent = { it: value }
        t.is(
          outcomeOf(quick, sent, context),
          outcomeOf(new ReadByItself(quick), sent, context),
          `${codec.name} ${String(JSON.stringify(value)).slice(0, 40)}`,
        )
      }
})

test('what is in order is accepted as the very object that was sent, and read once', (t) => {
  const spy = new ReadByItself(term(5))
  const codec = struct('holder', { first: required(list(spy)), last: optional(date) })
  const sent = { first: ['a', 'b'], last: '2025-01-01' }
  const checked = check(codec, sent, contextWith())
  t.true(E.isRight(checked) && Object.is(checked.right.value, sent))
  t.is(spy.reads, 2)
})

test('what is found while reading quickly is reported once, with its path', (t) => {
  const spy = new ReadByItself(term(5))
  const codec = struct('holder', { first: required(list(spy)), last: required(date) })
  const checked = check(codec, { first: ['a', ''], last: 'x' }, contextWith())
  t.deepEqual(E.isLeft(checked) ? checked.left.errors.map(({ attr, code }) => [attr, code]) : [], [
    ['first.1', 'blank'],
    ['last', 'invalid'],
  ])
})

test('objects that inherit, fields that are undefined and other orders take the way that copies', (t) => {
  const codec = struct('holder', { first: required(date), last: optional(date) })
  const [first, last] = ['2025-01-01', '2025-01-02']
  const inherited = Object.assign(Object.create({ last }) as object, { first })
  for (const sent of [{ last, first }, { first, last: undefined }, inherited]) {
    const checked = check(codec, sent, contextWith())
    t.true(E.isRight(checked) && !Object.is(checked.right.value, sent))
    t.is(outcomeOf(codec, sent, contextWith()), outcomeOf(new ReadByItself(codec), sent, contextWith()))
  }
})

test.serial('nothing is accepted for what somebody gave to all objects', (t) => {
  const codec = struct('holder', { first: required(date), last: optional(date) })
  const sent = { first: '2025-01-01' }
  Object.defineProperty(Object.prototype, 'last', {
    value: '2025-01-02',
    configurable: true,
    enumerable: true,
  })
  try {
    t.deepEqual(check(codec, sent, contextWith()), E.right({ value: sent, warnings: [] }))
    t.is(outcomeOf(codec, sent, contextWith()), outcomeOf(new ReadByItself(codec), sent, contextWith()))
  } finally {
    Reflect.deleteProperty(Object.prototype, 'last')
  }
})
