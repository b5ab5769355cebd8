import { setImmediate } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import {
  httpJsonVendor,
  stripeVendor,
  type AnswerRules,
  type VendorClient,
} from '@account-import/adapter-payment-vendor'
import { keepablePaymentDetails } from '@account-import/core/adapter-kit'
import { paymentMethod } from './support/vendor-kinds.js'
import { answering, outcomeOf, tryOnce, type VendorServer } from './support/vendor-server.js'

const rules: AnswerRules = {
  usable: { path: 'status', in: ['active', 'true', '1'] },
  not_found: { path: 'error.code', in: ['unknown'] },
  type: { path: '/kind', of: { CARD: ['card', 'debit'], DIRECT_DEBIT: ['sepa'] } },
  reference: 'id',
  details: {
    brand: 'cards.0.brand',
    last4: '/cards/0/last~14',
    expiry: 'expiry',
    expiry_month: 'month',
    expiry_year: 'year',
    method: 'kind',
    country: 'country',
    customer_id: 'customer',
    mandate_id: 'mandate',
    status: 'status',
  },
}

const card = { id: 'ref-1', status: 'active', kind: 'card' }

type HttpJson = Parameters<typeof httpJsonVendor>[0]

/** A vendor with plain HTTP and JSON at this server. */
const acme = ({ origin }: VendorServer, options: Partial<HttpJson> = {}): VendorClient =>
  httpJsonVendor({
    code: 'ACME',
    url: `${origin}/v1/{reference}?type={type}`,
    allowPrivateAddress: true,
    ...rules,
    ...options,
  })

const askAcme = async (t: ExecutionContext, answer: unknown, options: Partial<HttpJson> = {}) =>
  tryOnce(acme(await answering(t, answer), options), 'ref-1')

test('details are read by the mapping, by dotted path, pointer and index', async (t) => {
  const answer = {
    ...card,
    cards: [{ brand: 'visa', 'last/4': '0042' }],
    expiry: '01/31',
    country: 'ES',
    customer: 4711,
    mandate: 'M-1',
  }
  t.deepEqual(await askAcme(t, answer), {
    _tag: 'verified',
    details: {
      brand: 'visa',
      last4: '0042',
      expiry: '2031-01',
      method: 'card',
      country: 'ES',
      customerId: '4711',
      mandateId: 'M-1',
      status: 'active',
    },
  })
})

const expiries: readonly (readonly [given: object, kept: string | undefined])[] = [
  [{ expiry: '2031-01' }, '2031-01'],
  [{ expiry: '2031-01-31' }, '2031-01'],
  [{ expiry: '2031-01-31T00:00:00Z' }, '2031-01'],
  [{ expiry: '1/2031' }, '2031-01'],
  [{ expiry: '2031/12' }, '2031-12'],
  [{ month: 1, year: 2031 }, '2031-01'],
  [{ month: '01', year: '31' }, '2031-01'],
  [{ expiry: '13/31' }, undefined],
  [{ expiry: '203101' }, undefined],
  [{ expiry: 'never' }, undefined],
  [{ month: 1 }, undefined],
  [{ month: 0, year: 2031 }, undefined],
]

test('a month of expiry is read in the forms of vendors, and left out in any other', async (t) => {
  for (const [given, kept] of expiries)
    t.like(await askAcme(t, { ...card, ...given }), { details: { expiry: kept } }, JSON.stringify(given))
})

test('mapped names that the response lacks are left out, also names of JavaScript itself', async (t) => {
  t.deepEqual(await askAcme(t, card), {
    _tag: 'verified',
    details: { method: 'card', status: 'active' },
  })
  const options = { details: { brand: 'constructor.name', status: '__proto__', method: 'status.length' } }
  t.deepEqual(await askAcme(t, card, options), { _tag: 'verified', details: {} })
})

const answers: readonly (readonly [title: string, answer: unknown, outcome: string])[] = [
  ['another state', { ...card, status: 'expired' }, 'not_usable'],
  ['no state', { id: 'ref-1', kind: 'card' }, 'not_usable'],
  ['a state that is not a text', { ...card, status: ['active'] }, 'not_usable'],
  ['a truth value as its state', { ...card, status: true }, 'verified'],
  ['a number as its state', { ...card, status: 1 }, 'verified'],
  ['another type', { ...card, kind: 'sepa' }, 'not_usable'],
  ['no type', { id: 'ref-1', status: 'active' }, 'not_usable'],
  ['an error in a response with 200', { error: { code: 'unknown' } }, 'not_found'],
  ['another reference', { ...card, id: 'ref-2' }, 'form'],
  ['no reference', { status: 'active', kind: 'card' }, 'form'],
  ['a list', [], 'form'],
  ['a text', 'active', 'form'],
  ['null', null, 'form'],
]

for (const [title, answer, outcome] of answers)
  test(`a response with ${title} is ${outcome}`, async (t) => {
    const got = await askAcme(t, answer)
    t.is(typeof got === 'string' ? got : got._tag, outcome)
  })

test('a type outside the mapping is not usable, and without a mapping of types every type is', async (t) => {
  const server = await answering(t, card)
  for (const type of ['CUSTOM', 'constructor'])
    t.is(await outcomeOf(acme(server), 'ref-1', type), 'not_usable')
  t.is(await outcomeOf(acme(server, { type: undefined }), 'ref-1', 'CUSTOM'), 'verified')
})

test('reference and type are percent-encoded in the address, and never change its path, query or host', async (t) => {
  const server = await answering(t, {})
  const encoded = {
    '../admin': '..%2Fadmin',
    'a/b?c=d#e': 'a%2Fb%3Fc%3Dd%23e',
    'ñ %2e%2e': '%C3%B1%20%252e%252e',
    '{type}': '%7Btype%7D',
    '$&': '%24%26',
    '%2e%2e': '%252e%252e',
    '...x': '...x',
    '@evil.example': '%40evil.example',
  }
  for (const reference of Object.keys(encoded)) await tryOnce(acme(server), reference, 'A&B')
  t.deepEqual(
    server.requests,
    Object.values(encoded).map((reference) => `GET /v1/${reference}?type=A%26B`),
  )
})

test('the configured headers are sent, and connections are reused', async (t) => {
  const server = await answering(t, card)
  const vendor = acme(server, { headers: { Authorization: 'Bearer canary', 'X-Tenant': 'a' } })
  for (let call = 0; call < 3; call += 1) await tryOnce(vendor, 'ref-1')
  t.like(server.headers[2], { authorization: 'Bearer canary', 'x-tenant': 'a', accept: 'application/json' })
  t.is(server.connections(), 1)
})

const stripe = ({ origin }: VendorServer): VendorClient =>
  stripeVendor({ code: 'STRIPE', secretKey: 'rk_test_canary', baseUrl: origin })

const sepa = {
  ...paymentMethod,
  type: 'sepa_debit',
  card: undefined,
  customer: { id: 'cus_2', object: 'customer' },
  sepa_debit: { last4: '3000', country: 'DE', bank_code: '37040044' },
}

const mandate = {
  id: 'mandate_1',
  object: 'mandate',
  status: 'active',
  type: 'multi_use',
  payment_method: sepa,
  payment_method_details: { type: 'sepa_debit', sepa_debit: { reference: 'X' } },
}

test('a card is verified by one read with the key, and its details are kept, and nothing is printed', async (t) => {
  const warnings: Error[] = []
  const onWarning = (warning: Error): unknown => warnings.push(warning)
  process.on('warning', onWarning)
  t.teardown(() => process.off('warning', onWarning))
  const server = await answering(t, paymentMethod, { headers: { 'stripe-notice': 'canary' } })
  t.deepEqual(await tryOnce(stripe(server), 'pm_1'), {
    _tag: 'verified',
    details: {
      brand: 'visa',
      last4: '4242',
      expiry: '2099-12',
      method: 'card',
      country: 'ES',
      customerId: 'cus_1',
    },
  })
  t.deepEqual(server.requests, ['GET /v1/payment_methods/pm_1'])
  t.like(server.headers[0], { authorization: 'Bearer rk_test_canary', 'stripe-version': '2026-10-28.endive' })
  await setImmediate()
  t.deepEqual(warnings, [])
})

test('a mandate is verified together with its payment method by one read', async (t) => {
  const server = await answering(t, mandate)
  t.deepEqual(await tryOnce(stripe(server), 'mandate_1', 'DIRECT_DEBIT'), {
    _tag: 'verified',
    details: {
      last4: '3000',
      method: 'sepa_debit',
      country: 'DE',
      customerId: 'cus_2',
      mandateId: 'mandate_1',
      status: 'active',
    },
  })
  t.deepEqual(server.requests, ['GET /v1/mandates/mandate_1?expand[0]=payment_method'])
})

type Changed = readonly [title: string, changed: object, type: string, outcome: string]

const bankAccount = (us_bank_account: object) => ({ type: 'us_bank_account', us_bank_account })
const blocked = { status_details: { blocked: { reason: 'bank_account_closed' } } }

const methods: readonly Changed[] = [
  ['a card as a card', {}, 'CARD', 'verified'],
  ['a card as a direct debit', {}, 'DIRECT_DEBIT', 'not_usable'],
  ['a card as a payment slip', {}, 'PAYMENT_SLIP', 'not_usable'],
  ['a card as a type of the vendor', {}, 'CUSTOM', 'verified'],
  ['a direct debit as a direct debit', sepa, 'DIRECT_DEBIT', 'verified'],
  ['a direct debit as a card', sepa, 'CARD', 'not_usable'],
  ['a payment method that was detached from its customer', { customer: null }, 'CARD', 'not_usable'],
  [
    'a payment method without a customer in any form',
    { customer: null, customer_account: null },
    'CARD',
    'not_usable',
  ],
  [
    'a payment method of a customer account',
    { customer: null, customer_account: 'acct_1' },
    'CARD',
    'verified',
  ],
  ['an account that the bank has blocked', bankAccount(blocked), 'DIRECT_DEBIT', 'not_usable'],
  [
    'an account that is not blocked',
    bankAccount({ last4: '6789', status_details: {} }),
    'DIRECT_DEBIT',
    'verified',
  ],
  ['another payment method than requested', { id: 'pm_2' }, 'CARD', 'form'],
  ['another object than requested', { object: 'customer' }, 'CARD', 'form'],
]

for (const [title, changed, type, outcome] of methods)
  test(`${title} is ${outcome}, for payment methods`, async (t) => {
    const server = await answering(t, { ...paymentMethod, ...changed })
    t.is(await outcomeOf(stripe(server), 'pm_1', type), outcome)
  })

const detached = { ...sepa, customer: null }

const mandates: readonly Changed[] = [
  ['an active one', {}, 'DIRECT_DEBIT', 'verified'],
  ['a mandate without its payment method', { payment_method: 'pm_1' }, 'DIRECT_DEBIT', 'verified'],
  ['a mandate that is no longer active', { status: 'inactive' }, 'DIRECT_DEBIT', 'not_usable'],
  ['a mandate that is not active yet', { status: 'pending' }, 'DIRECT_DEBIT', 'not_usable'],
  ['a mandate of another type', {}, 'CARD', 'not_usable'],
  ['a mandate whose payment method was detached', { payment_method: detached }, 'DIRECT_DEBIT', 'not_usable'],
  ['another mandate than requested', { id: 'mandate_2' }, 'DIRECT_DEBIT', 'form'],
]

for (const [title, changed, type, outcome] of mandates)
  test(`${title} is ${outcome}, for mandates`, async (t) => {
    const server = await answering(t, { ...mandate, ...changed })
    t.is(await outcomeOf(stripe(server), 'mandate_1', type), outcome)
  })

// The other statuses are in failure-cases.ts.
test('a payment that Stripe requests is a refusal, and a response that is neither of its forms is unexpected', async (t) => {
  const error = { error: { type: 'invalid_request_error', message: 'canary', code: 'resource_missing' } }
  for (const [body, status, outcome] of [
    [error, 402, 'refused'],
    [{ message: 'no such page' }, 404, 'form'],
    [paymentMethod, 404, 'form'],
    [error, 200, 'form'],
    [{ ...paymentMethod, ...error }, 200, 'form'],
    [{}, 200, 'form'],
    [[paymentMethod], 200, 'form'],
    [null, 200, 'form'],
  ] as const)
    t.is(await outcomeOf(stripe(await answering(t, body, { status })), 'pm_1'), outcome)
})

test('references are percent-encoded in the path of Stripe', async (t) => {
  const server = await answering(t, paymentMethod)
  await tryOnce(stripe(server), '../customers/cus_1?x=y')
  t.deepEqual(server.requests, ['GET /v1/payment_methods/..%2Fcustomers%2Fcus_1%3Fx%3Dy'])
})

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

test('details in their forms are kept unchanged, and other values are left out', (t) => {
  t.deepEqual(keepablePaymentDetails(all), all)
  t.deepEqual(keepablePaymentDetails(Object.assign({ cvc: '123' }, all)), all)
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
