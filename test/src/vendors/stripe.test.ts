import { setImmediate } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import { stripeVendor, VendorFailure, type ClearAnswer } from '@account-import/adapter-payment-vendor'
import { paymentMethod } from './support/vendor-kinds.js'
import { startVendorServer, type VendorServer } from './support/vendor-server.js'

const server = async (t: ExecutionContext, body: object, status = 200): Promise<VendorServer> => {
  const started = await startVendorServer((_nth, _request, response) => {
    response.writeHead(status, { 'stripe-notice': 'canary' }).end(JSON.stringify(body))
  })
  t.teardown(() => started.stop())
  return started
}

const ask = async (
  { origin }: VendorServer,
  reference: string,
  type = 'CARD',
): Promise<ClearAnswer | string> => {
  const vendor = stripeVendor({ code: 'STRIPE', secretKey: 'rk_test_canary', baseUrl: origin })
  try {
    return await vendor.ask({ reference, type }, AbortSignal.timeout(3000))
  } catch (cause) {
    if (cause instanceof VendorFailure) return cause.kind
    throw cause
  }
}

const outcomeOf = async (...input: Parameters<typeof ask>): Promise<string> => {
  const answer = await ask(...input)
  return typeof answer === 'string' ? answer : answer._tag
}

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

test('a card is verified by one read with the key, and its details are kept; nothing is printed', async (t) => {
  const warnings: Error[] = []
  const onWarning = (warning: Error): unknown => warnings.push(warning)
  process.on('warning', onWarning)
  t.teardown(() => process.off('warning', onWarning))
  const started = await server(t, paymentMethod)
  t.deepEqual(await ask(started, 'pm_1'), {
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
  t.deepEqual(started.requests, ['GET /v1/payment_methods/pm_1'])
  t.is(started.headers[0]?.authorization, 'Bearer rk_test_canary')
  await setImmediate()
  t.deepEqual(warnings, [])
})

test('a mandate is verified together with its payment method by one read', async (t) => {
  const started = await server(t, mandate)
  t.deepEqual(await ask(started, 'mandate_1', 'DIRECT_DEBIT'), {
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
  t.deepEqual(started.requests, ['GET /v1/mandates/mandate_1?expand[0]=payment_method'])
})

const methods: readonly (readonly [title: string, changed: object, type: string, outcome: string])[] = [
  ['a card as a card', {}, 'CARD', 'verified'],
  ['a card as a direct debit', {}, 'DIRECT_DEBIT', 'not_usable'],
  ['a card as a payment slip', {}, 'PAYMENT_SLIP', 'not_usable'],
  ['a card as a type of the vendor', {}, 'CUSTOM', 'verified'],
  ['a direct debit as a direct debit', sepa, 'DIRECT_DEBIT', 'verified'],
  ['a direct debit as a card', sepa, 'CARD', 'not_usable'],
  ['one that was detached from its customer', { customer: null }, 'CARD', 'not_usable'],
  ['one of no customer in any form', { customer: null, customer_account: null }, 'CARD', 'not_usable'],
  ['one of a customer account', { customer: null, customer_account: 'acct_1' }, 'CARD', 'verified'],
  [
    'an account that the bank has blocked',
    {
      type: 'us_bank_account',
      us_bank_account: { status_details: { blocked: { reason: 'bank_account_closed' } } },
    },
    'DIRECT_DEBIT',
    'not_usable',
  ],
  [
    'an account that is not blocked',
    { type: 'us_bank_account', us_bank_account: { last4: '6789', status_details: {} } },
    'DIRECT_DEBIT',
    'verified',
  ],
  ['another payment method than was asked for', { id: 'pm_2' }, 'CARD', 'form'],
  ['another object than was asked for', { object: 'customer' }, 'CARD', 'form'],
]

for (const [title, changed, type, outcome] of methods)
  test(`of payment methods, ${title} is ${outcome}`, async (t) => {
    t.is(await outcomeOf(await server(t, { ...paymentMethod, ...changed }), 'pm_1', type), outcome)
  })

const mandates: readonly (readonly [title: string, changed: object, type: string, outcome: string])[] = [
  ['an active one', {}, 'DIRECT_DEBIT', 'verified'],
  ['one whose payment method is not told', { payment_method: 'pm_1' }, 'DIRECT_DEBIT', 'verified'],
  ['one that is not active any more', { status: 'inactive' }, 'DIRECT_DEBIT', 'not_usable'],
  ['one that is not active yet', { status: 'pending' }, 'DIRECT_DEBIT', 'not_usable'],
  ['one of another type', {}, 'CARD', 'not_usable'],
  [
    'one whose payment method was detached',
    { payment_method: { ...sepa, customer: null } },
    'DIRECT_DEBIT',
    'not_usable',
  ],
  ['another one than was asked for', { id: 'mandate_2' }, 'DIRECT_DEBIT', 'form'],
]

for (const [title, changed, type, outcome] of mandates)
  test(`of mandates, ${title} is ${outcome}`, async (t) => {
    t.is(await outcomeOf(await server(t, { ...mandate, ...changed }), 'mandate_1', type), outcome)
  })

test('what Stripe refuses is told from what it does not know, by status', async (t) => {
  const error = { error: { type: 'invalid_request_error', message: 'canary', code: 'resource_missing' } }
  for (const [status, outcome] of [
    [404, 'not_found'],
    [400, 'refused'],
    [401, 'refused'],
    [402, 'refused'],
    [403, 'refused'],
    [429, 'busy'],
    [500, 'status'],
    [503, 'status'],
  ] as const)
    t.is(await outcomeOf(await server(t, error, status), 'pm_1'), outcome, String(status))
  t.is(await outcomeOf(await server(t, { message: 'no such page' }, 404), 'pm_1'), 'form')
})

test('references go into the path percent-encoded, and steps through paths are not found without a request', async (t) => {
  const started = await server(t, paymentMethod)
  await ask(started, '../customers/cus_1?x=y')
  t.deepEqual(started.requests, ['GET /v1/payment_methods/..%2Fcustomers%2Fcus_1%3Fx%3Dy'])
  for (const reference of ['.', '..', '']) t.deepEqual(await ask(started, reference), { _tag: 'not_found' })
  t.is(started.requests.length, 1)
})
