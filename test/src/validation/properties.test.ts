import test from 'ava'
import fc from 'fast-check'
import {
  accountPayload,
  check,
  countryCodes,
  E,
  figure,
  judgePhoneNumber,
  judgePhoneNumberByLibrary,
  money,
  toDecimalText,
} from '@account-import/core'
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
    { numRuns: 2000 },
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
    { numRuns: 2000 },
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

test('a number is judged like its shortest text, or as one that lost precision', (t) => {
  const number = fc.oneof(
    fc.double(),
    fc.double({ min: -1e6, max: 1e6 }),
    fc.integer().map((cents) => cents / 100),
    fc.tuple(fc.integer(), fc.nat(12)).map(([digits, places]) => digits / 10 ** places),
  )
  fc.assert(
    fc.property(number, (value) => {
      const text = String(value)
      for (const codec of [money, figure]) {
        const [code] = codesOf(codec, value)
        const digits = text.replace(/[-.]/g, '').replace(/^0+/, '').length
        const expected = /[eIN]/.test(text) ? 'invalid' : digits > 15 ? 'max_digits' : codesOf(codec, text)[0]
        if (code !== expected) return false
      }
      return true
    }),
    { numRuns: 5000 },
  )
  t.pass()
})

test('an amount that is accepted keeps its exact value', (t) => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 12n) + 1n, max: 10n ** 12n - 1n }), (cents) => {
      const sign = cents < 0n ? '-' : ''
      const digits = String(cents < 0n ? -cents : cents).padStart(3, '0')
      const text = `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`
      return codesOf(money, text).length === 0 && toDecimalText(text) === toDecimalText(Number(text))
    }),
  )
  t.pass()
})

test('the quick judgement of common phone numbers is that of the library', (t) => {
  const digits = (min: number, max: number) =>
    fc.array(fc.nat(9), { minLength: min, maxLength: max }).map((list) => list.join(''))
  const grouped = fc
    .tuple(
      digits(2, 12),
      fc.array(fc.tuple(fc.constantFrom(' ', '-', '  ', ''), digits(1, 4)), { maxLength: 3 }),
    )
    .map(([first, rest]) => first + rest.map(([gap, group]) => gap + group).join(''))
  const spanish = fc.tuple(
    fc.constantFrom('', '+34', '0034', '34'),
    fc.constantFrom('6', '7', '9', '8', '5'),
    digits(8, 8),
  )
  // Countries that share a calling code are told apart by the number.
  const shared = fc
    .tuple(
      fc.constantFrom(
        '+1',
        '+44',
        '+7',
        '+39',
        '+47',
        '+61',
        '+212',
        '+262',
        '+358',
        '+590',
        '+599',
        '+1 (',
        '0044 ',
      ),
      fc.constantFrom(
        '',
        '0',
        '(0)',
        '1',
        '7',
        '8',
        '20',
        '201',
        '242',
        '340',
        '671',
        '787',
        '1481',
        '7700',
        '7911',
      ),
      digits(4, 9),
    )
    .map((parts) => parts.join(''))
  const number = fc.oneof(
    grouped,
    shared,
    grouped.map((text) => `+${text}`),
    spanish.map((parts) => parts.join('')),
    fc.stringMatching(/^[-+ 0-9()/.x]{1,20}$/),
    fc.stringMatching(/^(tel:)?[+]?[0-9 ]{1,12}(;ext=| ext\.? ?|x|#|;isub=|[a-z])?[0-9a-z#]{0,4}$/),
    fc.stringMatching(/^[+٠-٩１２ x]{1,12}$/),
  )
  const country = fc.oneof(
    fc.constantFrom('ES', 'FR', 'PT', 'DE', 'IT', 'GB', 'US', 'BR'),
    fc.constantFrom(...countryCodes),
  )
  fc.assert(
    fc.property(
      number,
      country,
      (text, of) => judgePhoneNumber(text, of) === judgePhoneNumberByLibrary(text, of),
    ),
    { numRuns: 40_000 },
  )
  t.pass()
})

test('an account that inherits everything is empty', (t) => {
  t.deepEqual(find(accountPayload, Object.create(accountWith({ customers: [] }))).value, undefined)
})
