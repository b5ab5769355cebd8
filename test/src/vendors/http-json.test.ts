import test, { type ExecutionContext } from 'ava'
import {
  httpJsonVendor,
  VendorFailure,
  type AnswerRules,
  type AskedInstruction,
  type ClearAnswer,
} from '@account-import/adapter-payment-vendor'
import { startVendorServer, type VendorServer } from './support/vendor-server.js'

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

const server = async (t: ExecutionContext, body: unknown): Promise<VendorServer> => {
  const started = await startVendorServer((_nth, _request, response) => response.end(JSON.stringify(body)))
  t.teardown(() => started.stop())
  return started
}

const ask = async (
  { origin }: VendorServer,
  asked: Partial<AskedInstruction> = {},
  options: Partial<Parameters<typeof httpJsonVendor>[0]> = {},
): Promise<ClearAnswer | string> => {
  const vendor = httpJsonVendor({
    code: 'ACME',
    url: `${origin}/v1/{reference}?type={type}`,
    allowPrivateAddress: true,
    ...rules,
    ...options,
  })
  try {
    return await vendor.ask({ reference: 'ref-1', type: 'CARD', ...asked }, AbortSignal.timeout(3000))
  } catch (cause) {
    if (cause instanceof VendorFailure) return cause.kind
    throw cause
  }
}

test('details are taken from where the mapping says, by dotted path, pointer and index', async (t) => {
  const answer = {
    ...card,
    cards: [{ brand: 'visa', 'last/4': '0042' }],
    expiry: '01/31',
    country: 'ES',
    customer: 4711,
    mandate: 'M-1',
  }
  t.deepEqual(await ask(await server(t, answer)), {
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

test('a month of expiry is read in the forms that vendors write it in, and left out in any other', async (t) => {
  for (const [given, kept] of expiries)
    t.like(
      await ask(await server(t, { ...card, ...given })),
      { details: { expiry: kept } },
      JSON.stringify(given),
    )
})

test('what the mapping names and the answer lacks is left out, also where a name is one of JavaScript itself', async (t) => {
  t.deepEqual(await ask(await server(t, card)), {
    _tag: 'verified',
    details: { method: 'card', status: 'active' },
  })
  const options = { details: { brand: 'constructor.name', status: '__proto__', method: 'status.length' } }
  t.deepEqual(await ask(await server(t, card), {}, options), { _tag: 'verified', details: {} })
})

const answers: readonly (readonly [title: string, answer: unknown, outcome: string])[] = [
  ['another state', { ...card, status: 'expired' }, 'not_usable'],
  ['no state', { id: 'ref-1', kind: 'card' }, 'not_usable'],
  ['a state that is no text', { ...card, status: ['active'] }, 'not_usable'],
  ['a truth value as its state', { ...card, status: true }, 'verified'],
  ['a number as its state', { ...card, status: 1 }, 'verified'],
  ['another type', { ...card, kind: 'sepa' }, 'not_usable'],
  ['no type', { id: 'ref-1', status: 'active' }, 'not_usable'],
  ['an error in an answer with 200', { error: { code: 'unknown' } }, 'not_found'],
  ['another reference', { ...card, id: 'ref-2' }, 'form'],
  ['no reference', { status: 'active', kind: 'card' }, 'form'],
  ['a list', [], 'form'],
  ['a text', 'active', 'form'],
  ['null', null, 'form'],
]

for (const [title, answer, outcome] of answers)
  test(`an answer with ${title} is ${outcome}`, async (t) => {
    const got = await ask(await server(t, answer))
    t.is(typeof got === 'string' ? got : got._tag, outcome)
  })

test('a type that the mapping does not list is not usable; without a rule for types every type is', async (t) => {
  const started = await server(t, card)
  t.like(await ask(started, { type: 'CUSTOM' }), { _tag: 'not_usable' })
  t.like(await ask(started, { type: 'constructor' }), { _tag: 'not_usable' })
  t.like(await ask(started, { type: 'CUSTOM' }, { type: undefined }), { _tag: 'verified' })
})

test('reference and type go into the address percent-encoded, and never change its path, query or host', async (t) => {
  const started = await server(t, {})
  for (const reference of [
    '../admin',
    'a/b?c=d#e',
    'ñ %2e%2e',
    '{type}',
    '$&',
    '%2e%2e',
    '...x',
    '@evil.example',
  ])
    await ask(started, { reference, type: 'A&B' })
  t.deepEqual(started.requests, [
    'GET /v1/..%2Fadmin?type=A%26B',
    'GET /v1/a%2Fb%3Fc%3Dd%23e?type=A%26B',
    'GET /v1/%C3%B1%20%252e%252e?type=A%26B',
    'GET /v1/%7Btype%7D?type=A%26B',
    'GET /v1/%24%26?type=A%26B',
    'GET /v1/%252e%252e?type=A%26B',
    'GET /v1/...x?type=A%26B',
    'GET /v1/%40evil.example?type=A%26B',
  ])
})

test('a reference that would be a step through paths, or that has no encoding, is not found without a request', async (t) => {
  const started = await server(t, card)
  for (const reference of ['.', '..', '...', '', '\ud800', 'x\udc00'])
    t.deepEqual(await ask(started, { reference }), { _tag: 'not_found' }, JSON.stringify(reference))
  t.deepEqual(started.requests, [])
})

test('the configured headers go along, and connections are used again', async (t) => {
  const started = await server(t, card)
  const headers = { Authorization: 'Bearer canary', 'X-Tenant': 'a' }
  const vendor = httpJsonVendor({
    code: 'ACME',
    url: `${started.origin}/{reference}`,
    allowPrivateAddress: true,
    headers,
    ...rules,
  })
  for (let call = 0; call < 3; call += 1)
    await vendor.ask({ reference: 'ref-1', type: 'CARD' }, AbortSignal.timeout(3000))
  t.like(started.headers[2], { authorization: 'Bearer canary', 'x-tenant': 'a', accept: 'application/json' })
  t.is(started.connections(), 1)
})
