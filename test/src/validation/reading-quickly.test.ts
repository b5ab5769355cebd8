import test from 'ava'
import fc from 'fast-check'
import {
  accountPayload,
  check,
  Codec,
  date,
  E,
  list,
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
import { edges } from './edges.js'
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
