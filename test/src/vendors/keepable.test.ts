import test from 'ava'
import { keepablePaymentDetails } from '@account-import/core/adapter-kit'
import { holdsCardNumber } from '@account-import/core/testing'

const all = {
  brand: 'visa',
  last4: '0042',
  expiry: '2031-01',
  method: 'card',
  country: 'ES',
  customerId: 'cus_1',
  mandateId: 'mandate_1',
  status: 'active',
}

test('details in their forms are kept as they are, and what is no detail is not', (t) => {
  t.deepEqual(keepablePaymentDetails(all), all)
  const more = { ...all, cvc: '123' }
  t.deepEqual(keepablePaymentDetails(more), all)
})

const notKept: readonly (readonly [detail: keyof typeof all, values: readonly unknown[]])[] = [
  ['last4', ['4242424242424242', '04242', '242', '', ' 242', 4242, null, '４２４２']],
  ['expiry', ['2031-13', '01/31', '2031-1', 203101]],
  ['country', ['es', 'ESP', '']],
  ['brand', ['', '  ', 'x'.repeat(256), 'visa\n', 'visa 4242 4242 4242 4242', { a: 1 }, '\ud800']],
  [
    'customerId',
    ['4242-4242-4242-4242', 'pan:378282246310005', '４２４２４２４２４２４２４２４２', undefined],
  ],
  ['mandateId', ['6011 0009 9013 9424']],
  ['status', ['5555555555554444 active']],
  ['method', [true]],
]

for (const [detail, values] of notKept)
  test(`a ${detail} that breaks its form or holds a card number is left out whole`, (t) => {
    for (const value of values) {
      const { [detail]: _, ...others } = all
      t.deepEqual(keepablePaymentDetails({ ...all, [detail]: value }), others, String(value))
    }
  })

test('a card number is found among other text; numbers without its check digit or of other lengths are none', (t) => {
  for (const text of [
    '4242424242424242',
    'no. 4242 4242-4242 4242.',
    '4222222222222',
    '6304000000000000000',
    '4242_4242_4242_4242',
  ])
    t.true(holdsCardNumber(text), text)
  for (const text of [
    '4242424242424241',
    '424242424242',
    '42424242424242424242',
    'cus_1',
    '424 242 424 2424_2424x2424',
    'ES0021000000000008AA',
  ])
    t.false(holdsCardNumber(text), text)
})
