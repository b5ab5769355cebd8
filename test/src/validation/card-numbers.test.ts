import { isCardNumber, maskCardNumbers, holdsCardNumber } from '@account-import/core/testing'
import test from 'ava'

/** Texts as they were sent, and what is kept of them. */
const masked: readonly (readonly [sent: string, kept: string])[] = [
  ['4242424242424242', '••••••••••••4242'],
  ['pays by 4242 4242 4242 4242.', 'pays by •••• •••• •••• 4242.'],
  ['4242-4242-4242-4242', '••••-••••-••••-4242'],
  ['4242 - 4242 - 4242 - 4242', '•••• - •••• - •••• - 4242'],
  ['4242\u00a04242\u20114242\u22124242', '••••\u00a0••••\u2011••••\u22124242'],
  ['4242\u200b4242\u00ad42424242', '••••\u200b••••\u00ad••••4242'],
  ['４２４２４２４２４２４２４２４２', '••••••••••••４２４２'],
  ['Amex 3782 822463 10005', 'Amex •••• •••••• •0005'],
  ['13: 4222222222222', '13: •••••••••2222'],
  ['19: 6304000000000000000', '19: •••••••••••••••0000'],
  ['4242 4242 4242 4242 12/28 123', '•••• •••• •••• 4242 12/28 123'],
  ['tel 612 345 678 4242424242424242', 'tel 612 345 678 ••••••••••••4242'],
  ['4242424242424242 5555555555554444', '••••••••••••4242 ••••••••••••4444'],
  ['card4242424242424242', 'card••••••••••••4242'],
  ['Señor: 🙂 4242424242424242 🙂', 'Señor: 🙂 ••••••••••••4242 🙂'],
]

test('all but the last four digits of card numbers are masked, however they are grouped', (t) => {
  for (const [sent, kept] of masked) {
    t.is(maskCardNumbers(sent), kept)
    t.is(maskCardNumbers(kept), kept, 'a masked number is none')
    t.true(holdsCardNumber(sent), sent)
  }
})

const kept = [
  '4242424242424241',
  '424242424242',
  '42424242424242424242',
  '4242/4242/4242/4242',
  '4242.4242.4242.4242',
  '4242\n4242\n4242\n4242',
  'tel. +34 612 345 678, 2025-03-01',
  'CUPS ES0021000000000008AA',
  'IBAN ES91 2100 0418 4502 0005 1332',
  '',
]

test('other numbers stay as they are', (t) => {
  for (const text of kept) {
    t.is(maskCardNumbers(text), text)
    t.false(isCardNumber(text), text)
  }
})

test('a reference is a card number only as a whole', (t) => {
  for (const text of ['4242424242424242', ' 4242 4242-4242 4242 ', '３７８２８２２４６３１０００５'])
    t.true(isCardNumber(text), text)
  for (const text of ['pm_4242424242424242', '4242424242424242x', '4242424242424242 5555555555554444'])
    t.false(isCardNumber(text), text)
})

test('64 KiB of anything are looked through in no time', (t) => {
  for (const part of ['1', '1 ', '4242 ', '4 ', '4242424242424242 ', '123456789012 x', ' - '])
    t.is(maskCardNumbers(part.repeat(Math.floor(65_536 / part.length))).length > 0, true, part)
})
