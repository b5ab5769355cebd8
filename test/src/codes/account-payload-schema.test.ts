import test from 'ava'
import type { AccountPayload } from '@account-import/core'
import { accountPayload } from '@account-import/core/payloads'
import { accountPayloadSchema } from '@account-import/http-contract/openapi'
import { Ajv2020 } from 'ajv/dist/2020.js'
import {
  agreement,
  ledger,
  point,
  schedule,
  withAgreements,
  withLedgers,
  withSchedules,
} from '../support/account-parts.js'
import { fc, holds } from '../support/properties.js'
import { sample } from '../support/samples.js'
import { accountWith } from '../validation/support.js'

const ajv = new Ajv2020({ allErrors: true })
const matches = ajv.compile(accountPayloadSchema)

/** Where the schema objects, as `attr keyword`. */
const objections = (payload: unknown): readonly string[] => {
  matches(payload)
  const errors = matches.errors ?? []
  const found = errors.map(
    ({ instancePath, keyword }) => `${instancePath.slice(1).replaceAll('/', '.')} ${keyword}`,
  )
  return [...new Set(found)]
}

for (const name of ['gas-account.json', 'electricity-account.json'])
  test(`${name} matches the schema`, (t) => {
    t.deepEqual(objections(sample(name)), [])
  })

const withAgreement = (fields: object): object =>
  accountWith(withAgreements(agreement('2024-01-01', undefined, { ...fields })))

const at = `${point}.agreements.0`

const broken: readonly (readonly [what: string, payload: object, objection: string])[] = [
  ['a missing field', { import_supplier: 'LEVANTE' }, ' required'],
  ['null', accountWith({ billing_name: null }), 'billing_name type'],
  ['another type', accountWith({ customers: {} }), 'customers type'],
  ['a text that is too long', accountWith({ billing_name: '😀'.repeat(511) }), 'billing_name maxLength'],
  ['no member of a list', accountWith({ account_type: 'domestic' }), 'account_type enum'],
  [
    'five powers',
    withAgreement({ contractual_max_power: [1, 2, 3, 4, 5] }),
    `${at}.contractual_max_power minItems`,
  ],
  [
    'a fraction',
    withAgreement({ estimated_monthly_fee_in_cents: 0.5 }),
    `${at}.estimated_monthly_fee_in_cents type`,
  ],
  [
    'a number below',
    withAgreement({ estimated_monthly_fee_in_cents: -1 }),
    `${at}.estimated_monthly_fee_in_cents minimum`,
  ],
  [
    'a large number',
    accountWith(withLedgers(ledger({ ledger_balance: 1e10 }))),
    ['exclusiveMaximum', 'type', 'anyOf'].map((keyword) => `ledgers.0.ledger_balance ${keyword}`).join(', '),
  ],
  [
    'an address without a domain',
    accountWith({ customers: [{ email: 'a@b' }] }),
    'customers.0.email pattern',
  ],
  [
    'a list that is too long',
    accountWith({ notes: Array.from({ length: 10_001 }, () => ({})) }),
    'notes maxItems',
  ],
]

for (const [what, payload, objection] of broken)
  test(`the schema refuses ${what}`, (t) => {
    t.is(objections(payload).join(', '), objection)
  })

test('the schema accepts and refuses the same texts as the codecs', (t) => {
  const fields: readonly (keyof AccountPayload)[] = ['import_supplier', 'billing_name', 'sales_channel']
  const text = fc.string({
    unit: fc.constantFrom('a', ' ', '\t', '\n', '\u00a0', '\ufeff', '\0', '\u007f', '\u0085', 'é', '😀'),
  })
  holds(t, 2000, [fc.constantFrom(...fields), text], (field, value) => {
    const payload = accountWith({ [field]: value })
    return matches(payload) === accountPayload.is(payload)
  })
})

const dates = (): readonly string[] =>
  ['1899', '1900', '1904', '2000', '2023', '2024', '2100', '2400', '9996', '9999'].flatMap((year) =>
    Array.from({ length: 14 }, (_, month) => month).flatMap((month) =>
      [0, 1, 28, 29, 30, 31, 32].map(
        (day) => `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`,
      ),
    ),
  )

test('the schema accepts the same dates as the codecs', (t) => {
  for (const day of dates()) {
    const payload = withAgreement({ effective_from: day })
    t.is(matches(payload), accountPayload.is(payload), day)
  }
})

test('the schema accepts the same decimals as the codecs', (t) => {
  const digit = fc.constantFrom('0', '1', '9', '.', '-', '00', '123456789', '+', 'e', ' ')
  const decimal = fc.array(digit, { maxLength: 5 }).map((parts) => parts.join(''))
  const holders = [
    (value: string) => accountWith(withLedgers(ledger({ ledger_balance: value }))),
    (value: string) => accountWith(withSchedules(schedule({ amount: value }))),
  ]
  holds(t, 3000, [fc.constantFrom(...holders), decimal], (holder, value) => {
    const payload = holder(value)
    return matches(payload) === accountPayload.is(payload)
  })
})
