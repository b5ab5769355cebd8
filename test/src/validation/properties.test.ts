import test, { type ExecutionContext } from 'ava'
import type { AccountPayload } from '@account-import/core'
import { toMoney } from '@account-import/core/adapter-kit'
import { E } from '@account-import/core/fp'
import {
  accountPayload,
  checkAccountPayload,
  type Checked,
  List,
  Struct,
} from '@account-import/core/payloads'
import { check, echoAccount, maskCardNumbers, money, phoneNumberKind } from '@account-import/core/testing'
import { generateAccounts } from '@account-import/example-generate-accounts'
import { fc, holds, isReplay } from '../support/properties.js'
import { published } from '../support/published.js'
import { sample } from '../support/samples.js'
import { everyCodec, type Part, partOf, withoutRefinements } from './every-codec.js'
import { mutate, type Mutation, mutations, originals } from './mutations.js'
import { codesOf, contextWith, find } from './support.js'

const compareKeys = (codec: Part, value: unknown, left: string, right: string): number => {
  if (Array.isArray(value)) return Number(left) - Number(right)
  const holder = withoutRefinements(codec)
  const names = holder instanceof Struct ? Object.keys(holder.fields as object) : []
  const rank = (key: string): number => (names.includes(key) ? names.indexOf(key) : names.length)
  return rank(left) - rank(right) || (left < right ? -1 : 1)
}

const own = (holder: unknown, key: string): unknown =>
  typeof holder === 'object' && holder !== null && Object.hasOwn(holder, key)
    ? (holder as Readonly<Record<string, unknown>>)[key]
    : undefined

const keysOf = (attr: string): readonly string[] => (attr === '' ? [] : attr.split('.'))

/** The order of two paths of an account in the document: negative, 0 or positive. */
const compareAttrs = (payload: unknown, left: string, right: string): number => {
  const [leftKeys, rightKeys] = [keysOf(left), keysOf(right)]
  let codec: Part = accountPayload
  let value = payload
  for (let at = 0; ; at++) {
    const [leftKey, rightKey] = [leftKeys[at], rightKeys[at]]
    if (leftKey === undefined || rightKey === undefined) return leftKeys.length - rightKeys.length
    if (leftKey !== rightKey) return compareKeys(codec, value, leftKey, rightKey)
    codec = partOf(codec, leftKey)
    value = own(value, leftKey)
  }
}

/** Whether a path leads to something in the payload, or to a key that an object in it lacks. */
const resolves = (payload: unknown, attr: string): boolean => {
  const keys = keysOf(attr)
  let value = payload
  for (const [at, key] of keys.entries()) {
    if (typeof value !== 'object' || value === null) return false
    if (!Object.hasOwn(value, key)) return at === keys.length - 1 && !Array.isArray(value)
    value = own(value, key)
  }
  return true
}

/** The rest of a payload when unknown fields are dropped and fields put in table order. */
const knownPart = (payload: unknown, codec: Part = accountPayload): unknown => {
  const reader = withoutRefinements(codec)
  if (reader instanceof List)
    return (payload as readonly unknown[]).map((item) => knownPart(item, reader.item as Part))
  if (!(reader instanceof Struct)) return payload
  const names = Object.keys(reader.fields as object).filter((name) => Object.hasOwn(payload as object, name))
  return Object.fromEntries(names.map((name) => [name, knownPart(own(payload, name), partOf(reader, name))]))
}

const gas = sample('gas-account.json') as Record<string, unknown>

/** An account with something put into the place of one of its values. */
const damaged = fc
  .tuple(fc.array(fc.nat(30), { maxLength: 7 }), fc.oneof(fc.jsonValue(), fc.anything()))
  .map(([steps, value]) => replaceAt(structuredClone(gas), steps, value))

const replaceAt = (holder: unknown, steps: readonly number[], value: unknown): unknown => {
  const [step = 0, ...rest] = steps
  if (typeof holder !== 'object' || holder === null) return value
  const target = holder as Record<string, unknown>
  const keys = Object.keys(target)
  const key = keys[step % Math.max(keys.length, 1)]
  if (key === undefined) return value
  target[key] = rest.length === 0 ? value : replaceAt(target[key], rest, value)
  return target
}

test('validation returns a result and never throws, for any payload', (t) => {
  holds(t, 1000, [fc.oneof(fc.anything(), damaged)], (payload) => {
    const { errors, value } = find(accountPayload, payload)
    return errors.length > 0 || value !== undefined
  })
})

test('an accepted value is accepted again unchanged, and encodes to itself', (t) => {
  holds(t, 800, [damaged], (payload) => {
    const { value } = find(accountPayload, payload)
    if (value === undefined) return !accountPayload.is(payload)
    const again = check(accountPayload, value, contextWith())
    return (
      accountPayload.is(value) &&
      accountPayload.encode(value) === value &&
      E.isRight(again) &&
      again.right.value === value
    )
  })
})

test('a codec as an io-ts type has codes as messages and the keys of the path as context', (t) => {
  const payload = { ...gas, customers: [{ email: 'x' }], account_type: null }
  const decoded = accountPayload.decode(payload)
  t.true(E.isLeft(decoded))
  const failures = E.isLeft(decoded) ? decoded.left : []
  t.deepEqual(
    failures.map(({ message, context, value }) => [context.map(({ key }) => key).join('.'), message, value]),
    [
      ['.account_type', 'null', undefined],
      ['.customers.0.email', 'invalid', undefined],
    ],
  )
  t.deepEqual(accountPayload.decode(gas), E.right(find(accountPayload, gas).value))
})

const decimals = everyCodec().filter(({ _tag }) => _tag === 'Decimal')

test('a number is validated like its shortest text, or as one that lost precision', (t) => {
  const number = fc.oneof(
    fc.double(),
    fc.double({ min: -1e6, max: 1e6 }),
    fc.integer().map((cents) => cents / 100),
    fc.tuple(fc.integer(), fc.nat(12)).map(([digits, places]) => digits / 10 ** places),
  )
  holds(t, 3000, [number], (value) => {
    const text = String(value)
    for (const codec of decimals) {
      const [code] = codesOf(codec, value)
      const digits = text.replace(/[-.]/g, '').replace(/^0+/, '').length
      const expected = /[eIN]/.test(text) ? 'invalid' : digits > 15 ? 'max_digits' : codesOf(codec, text)[0]
      if (code !== expected) return false
    }
    return true
  })
})

test('an accepted amount keeps its exact value', (t) => {
  holds(t, 100, [fc.bigInt({ min: -(10n ** 12n) + 1n, max: 10n ** 12n - 1n })], (cents) => {
    const sign = cents < 0n ? '-' : ''
    const digits = String(cents < 0n ? -cents : cents).padStart(3, '0')
    const text = `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`
    return (
      codesOf(money, text).length === 0 &&
      toMoney(text) === toMoney(Number(text)) &&
      Number(toMoney(text)) === Number(text)
    )
  })
})

test('a phone number has the same result after more others than the cache holds, by its country', (t) => {
  const numbers = ['608000529', '+34608000529', '+1 201-555-0123', '+44 7911 123456', '12', '937000499']
  const validated = () =>
    numbers.map((number) => [phoneNumberKind(number, 'ES'), phoneNumberKind(number, 'PT')])
  const before = validated()
  t.deepEqual(before[0], ['mobile', 'other'])
  t.deepEqual(validated(), before)
  for (let index = 0; index < 11_000; index++) phoneNumberKind(String(index), 'ES')
  t.deepEqual(validated(), before)
})

type Case = Readonly<{ original: number; changes: readonly Mutation[] }>

const cases: fc.Arbitrary<Case> = fc.record({ original: fc.nat(originals.length - 1), changes: mutations })

const payloadOf = ({ original, changes }: Case): Record<string, unknown> => {
  const payload = JSON.parse(originals[original] ?? '{}') as Record<string, unknown>
  mutate(payload, changes)
  return payload
}

const validate = (payload: unknown): Checked<AccountPayload> => checkAccountPayload(payload, contextWith())

const always = (t: ExecutionContext, property: (payload: Record<string, unknown>) => void): void =>
  holds(t, 400, [cases], (each) => property(payloadOf(each)))

const entriesOf = (checked: Checked<unknown>) =>
  E.isLeft(checked) ? [checked.left.errors, checked.left.warnings] : [[], checked.right.warnings]

/** Everything in a response: findings in order, and the accepted values. */
const answerOf = (checked: Checked<AccountPayload>): string =>
  JSON.stringify(
    E.isLeft(checked) ? checked.left : [echoAccount(checked.right.value), checked.right.warnings],
  )

const frozen = <A>(value: A): A => {
  if (typeof value !== 'object' || value === null) return value
  Object.values(value).forEach(frozen)
  return Object.freeze(value)
}

test('every attr names a value of the payload, or a key that is missing there', (t) => {
  always(t, (payload) => {
    for (const { attr, code } of entriesOf(validate(payload)).flat())
      if (!resolves(payload, attr)) throw new Error(`${attr} ${code}`)
  })
})

test('findings are in document order, then by code, and none is repeated', (t) => {
  always(t, (payload) => {
    for (const entries of entriesOf(validate(payload)))
      entries
        .filter(({ code }) => !code.startsWith('too_many_'))
        .forEach(({ attr, code }, at, list) => {
          const next = list[at + 1]
          if (next === undefined) return
          const order = compareAttrs(payload, attr, next.attr)
          if (order > 0 || (order === 0 && code >= next.code))
            throw new Error(`${attr} ${code} before ${next.attr} ${next.code}`)
        })
  })
})

/** The kept part of an accepted payload: its known fields, but card numbers in the bodies of notes. */
const keptPart = (payload: unknown): unknown => {
  const known = knownPart(payload) as AccountPayload
  if (known.notes === undefined) return known
  const notes = known.notes.map((note) =>
    note.body === undefined ? note : { ...note, body: maskCardNumbers(note.body) },
  )
  return { ...known, notes }
}

test('a result has errors, or an account of the sent and known fields', (t) => {
  let accepted = 0
  always(t, (payload) => {
    const checked = validate(payload)
    if (E.isLeft(checked)) {
      if (checked.left.errors.length === 0) throw new Error('refused without an error')
      return
    }
    accepted += 1
    const encoded = accountPayload.encode(checked.right.value)
    if (JSON.stringify(encoded) !== JSON.stringify(keptPart(payload))) throw new Error('not what was sent')
  })
  t.true(isReplay || accepted > 0)
})

test('validating changes neither the payload nor the prototype of objects, and repeats its result', (t) => {
  const before = Reflect.ownKeys(Object.prototype)
  always(t, (payload) => {
    const text = JSON.stringify(payload)
    const first = answerOf(validate(frozen(payload)))
    if (JSON.stringify(payload) !== text) throw new Error('the payload was changed')
    if (answerOf(validate(payload)) !== first) throw new Error('another answer for the same payload')
    if (answerOf(validate(structuredClone(payload))) !== first)
      throw new Error('another answer for an equal payload')
  })
  t.deepEqual(Reflect.ownKeys(Object.prototype), before)
  t.is(({} as Record<string, unknown>)['polluted'], undefined)
})

/** The same fields in the reverse order; free objects are echoed as sent, so they stay. */
const backwards = (value: unknown, isFree = false): unknown => {
  if (isFree || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => backwards(item))
  const holder = {}
  for (const [key, inner] of Object.entries(value).toReversed())
    Object.defineProperty(holder, key, {
      value: backwards(inner, key === 'value'),
      enumerable: true,
    })
  return holder
}

test('the order of keys changes nothing in the result', (t) => {
  always(t, (payload) => {
    if (answerOf(validate(backwards(payload))) !== answerOf(validate(payload)))
      throw new Error('another answer')
  })
})

const generated: readonly string[] = [...generateAccounts({ count: 40, warningShare: 0.5 })].map(
  ({ payload }) => JSON.stringify(payload),
)

const codes = [...published].flatMap(([code, { changeable }]) => (changeable ? [code] : []))

type Severities = Readonly<Record<string, 'error' | 'warn' | 'off'>>

const chosen: fc.Arbitrary<Severities> = fc
  .array(fc.constantFrom('error' as const, 'warn' as const, 'off' as const), {
    minLength: codes.length,
    maxLength: codes.length,
  })
  .map((list) => Object.fromEntries(codes.map((code, at) => [code, list[at] ?? 'off'])))

type Found = Readonly<{ error: readonly string[]; warn: readonly string[]; isRefused: boolean }>

/** The findings with these severities, as `attr code`. */
const foundWith = (payload: unknown, severities: Severities): Found => {
  const checked = checkAccountPayload(
    payload,
    contextWith({ severities: { account_without_supply_points: 'warn', ...severities } }),
  )
  const { errors, warnings } = E.isLeft(checked) ? checked.left : { errors: [], ...checked.right }
  const [error = [], warn = []] = [errors, warnings].map((entries) =>
    entries.map(({ attr, code }) => `${attr} ${code}`).sort(),
  )
  return { error, warn, isRefused: E.isLeft(checked) }
}

/** The expected findings, by the findings with the severities of the catalogue. */
const expected = (plain: Found, severities: Severities): Found => {
  const all = (['error', 'warn'] as const).flatMap((byDefault) =>
    plain[byDefault].map((entry) => ({ entry, now: severities[entry.split(' ')[1] ?? ''] ?? byDefault })),
  )
  const [error = [], warn = []] = ['error', 'warn'].map((severity) =>
    all
      .filter(({ now }) => now === severity)
      .map(({ entry }) => entry)
      .sort(),
  )
  return { error, warn, isRefused: error.length > 0 }
}

test('severities move findings between the lists or leave them out, and change nothing else', (t) => {
  let moved = 0
  holds(t, 200, [fc.nat(generated.length - 1), mutations, chosen], (original, changes, severities) => {
    const payload = JSON.parse(generated[original] ?? '{}') as Record<string, unknown>
    mutate(payload, changes)
    const plain = foundWith(payload, {})
    // Beyond the limit it is other entries that are listed.
    if ([...plain.error, ...plain.warn].some((entry) => entry.startsWith(' too_many_'))) return true
    const wanted = expected(plain, severities)
    if (wanted.error.length !== plain.error.length) moved += 1
    return JSON.stringify(foundWith(payload, severities)) === JSON.stringify(wanted)
  })
  t.true(isReplay || moved > 20)
})
