import test from 'ava'
import { accountPayload, E, toMoney } from '@account-import/core/adapter-kit'
import { check, phoneNumberKind, money } from '@account-import/core/testing'
import { fc, runs } from '../support/properties.js'
import { everyCodec } from './every-codec.js'
import { accountWith, codesOf, contextWith, find, sample } from './support.js'

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

test('whatever is sent, checking answers and never throws', (t) => {
  fc.assert(
    fc.property(fc.oneof(fc.anything(), damaged), (payload) => {
      const { errors, value } = find(accountPayload, payload)
      return errors.length > 0 || value !== undefined
    }),
    { numRuns: runs(2000) },
  )
  t.pass()
})

test('what is accepted is accepted again as it is, and encodes to itself', (t) => {
  fc.assert(
    fc.property(damaged, (payload) => {
      const { value } = find(accountPayload, payload)
      if (value === undefined) return !accountPayload.is(payload)
      const again = check(accountPayload, value, contextWith())
      return (
        accountPayload.is(value) &&
        accountPayload.encode(value) === value &&
        E.isRight(again) &&
        again.right.value === value
      )
    }),
    { numRuns: runs(2000) },
  )
  t.pass()
})

test('as an io-ts type a codec says the same: codes as messages, the keys of the path as context', (t) => {
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
  fc.assert(
    fc.property(number, (value) => {
      const text = String(value)
      for (const codec of decimals) {
        const [code] = codesOf(codec, value)
        const digits = text.replace(/[-.]/g, '').replace(/^0+/, '').length
        const expected = /[eIN]/.test(text) ? 'invalid' : digits > 15 ? 'max_digits' : codesOf(codec, text)[0]
        if (code !== expected) return false
      }
      return true
    }),
    { numRuns: runs(5000) },
  )
  t.pass()
})

test('an amount that is accepted keeps its exact value', (t) => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 12n) + 1n, max: 10n ** 12n - 1n }), (cents) => {
      const sign = cents < 0n ? '-' : ''
      const digits = String(cents < 0n ? -cents : cents).padStart(3, '0')
      const text = `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`
      return (
        codesOf(money, text).length === 0 &&
        toMoney(text) === toMoney(Number(text)) &&
        Number(toMoney(text)) === Number(text)
      )
    }),
  )
  t.pass()
})

test('a phone number is validated the same after more others than are remembered, and by its country', (t) => {
  const numbers = ['608000529', '+34608000529', '+1 201-555-0123', '+44 7911 123456', '12', '937000499']
  const validated = () =>
    numbers.map((number) => [phoneNumberKind(number, 'ES'), phoneNumberKind(number, 'PT')])
  const before = validated()
  t.deepEqual(before[0], ['mobile', 'other'])
  t.deepEqual(validated(), before)
  for (let index = 0; index < 11_000; index++) phoneNumberKind(String(index), 'ES')
  t.deepEqual(validated(), before)
})

test('an account that inherits everything is empty', (t) => {
  t.deepEqual(find(accountPayload, Object.create(accountWith({ customers: [] }))).value, undefined)
})
