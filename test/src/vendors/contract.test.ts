import test, { type ExecutionContext } from 'ava'
import type { PaymentVerification } from '@account-import/core'
import { paymentVendorsCases, type PaymentVendorsSubject } from '@account-import/core/contract-tests'
import { inMemoryPaymentVendors } from '@account-import/core/in-memory'
import {
  guardedVendor,
  paymentVendors,
  sandboxVendor,
  type PaymentVendor,
  type VendorClient,
} from '@account-import/adapter-payment-vendor'
import { httpJsonKind, paymentMethod, stripeKind } from './support/vendor-kinds.js'
import { startVendorServer, type VendorServer } from './support/vendor-server.js'

type Outcome = PaymentVerification['_tag']

/** The last part of the path selects the response. */
const answers: Readonly<Record<string, readonly [status: number, body: object]>> = {
  good: [200, httpJsonKind.good],
  expired: [200, { status: 'active', card: { expiry: '01/20' } }],
  revoked: [200, { status: 'revoked' }],
  missing: [404, {}],
  refused: [401, {}],
  pm_good: [200, { ...paymentMethod, id: 'pm_good' }],
  pm_expired: [200, { ...paymentMethod, id: 'pm_expired', card: { exp_month: 1, exp_year: 2020 } }],
  pm_missing: [404, stripeKind.refusal],
  pm_refused: [401, stripeKind.refusal],
}

const byReference = async (t: ExecutionContext): Promise<VendorServer> => {
  const server = await startVendorServer((_nth, { url = '' }, response) => {
    const [status, body] = answers[/(\w+)(?:\?|$)/.exec(url)?.[1] ?? ''] ?? [500, {}]
    response.writeHead(status).end(JSON.stringify(body))
  })
  t.teardown(() => server.stop())
  return server
}

const examplesOf = (outcomes: Readonly<Record<string, Outcome>>): PaymentVendorsSubject['examples'] =>
  Object.entries(outcomes).map(([reference, outcome]) => ({
    instruction: { reference, type: 'CARD' },
    outcome,
  }))

/** References that no vendor issues: this server responds to them with 500. */
const strange = [
  '.',
  '..',
  '...',
  '',
  '\ud800',
  'x\udc00',
  'a/../../admin/users?x=1#',
  '../../internal',
  'x'.repeat(300),
]

const subjectOf = async (
  t: ExecutionContext,
  client: (origin: string) => VendorClient,
  outcomes: Readonly<Record<string, Outcome>>,
  missing: string,
): Promise<PaymentVendorsSubject> => {
  const server = await byReference(t)
  const vendor = client(server.origin)
  // Failing references are among the others here, so the breaker is to stay closed.
  const limits = { breakAfter: 1000, pauseMilliseconds: 1 }
  return {
    paymentVendors: paymentVendors([guardedVendor(vendor, { limits })]),
    vendor: vendor.code,
    examples: examplesOf(outcomes),
    unknown: [missing, ...strange],
  }
}

const httpJsonOutcomes = {
  good: 'verified',
  expired: 'not_usable',
  revoked: 'not_usable',
  missing: 'not_found',
  refused: 'refused',
  broken: 'unavailable',
} as const

const stripeOutcomes = {
  pm_good: 'verified',
  pm_expired: 'not_usable',
  pm_missing: 'not_found',
  pm_refused: 'refused',
  pm_broken: 'unavailable',
} as const

const verified: PaymentVerification = {
  _tag: 'verified',
  details: { brand: 'ACME', last4: '0001', expiry: '2031-01' },
}

const inMemoryOutcomes: readonly PaymentVerification[] = [
  verified,
  { _tag: 'not_found' },
  { _tag: 'not_usable' },
  { _tag: 'refused' },
  { _tag: 'unavailable', retryAfterSeconds: 2 },
  { _tag: 'unreachable' },
]

const inMemory = (): PaymentVendorsSubject => ({
  paymentVendors: inMemoryPaymentVendors(
    new Map([['ACME', new Map(inMemoryOutcomes.map((outcome) => [`ref-${outcome._tag}`, outcome]))]]),
  ),
  vendor: 'ACME',
  unknown: ['ref-0', '', '..', '\ud800', 'constructor'],
  examples: examplesOf(Object.fromEntries(inMemoryOutcomes.map(({ _tag }) => [`ref-${_tag}`, _tag]))),
})

const sandbox = (): PaymentVendorsSubject => ({
  paymentVendors: paymentVendors([sandboxVendor()]),
  vendor: 'SANDBOX',
  unknown: ['sandbox-missing-', 'sandbox-missing-\ud800'],
  examples: examplesOf({
    'sandbox-missing-1': 'not_found',
    'sandbox-unusable-1': 'not_usable',
    'sandbox-refused-1': 'refused',
    'sandbox-unavailable-1': 'unavailable',
    'sandbox-unreachable-1': 'unreachable',
    pm_1Q0PsIJvEtkwdCNYMSaVuRz6: 'verified',
    'Sandbox-missing-1': 'verified',
    'x-sandbox-missing-1': 'verified',
  }),
})

type Subject = PaymentVendorsSubject | Promise<PaymentVendorsSubject>

const subjects: Readonly<Record<string, (t: ExecutionContext) => Subject>> = {
  'in memory': inMemory,
  'with the sandbox': sandbox,
  'with HTTP-JSON': (t) => subjectOf(t, httpJsonKind.client, httpJsonOutcomes, 'missing'),
  'with Stripe': (t) => subjectOf(t, stripeKind.client, stripeOutcomes, 'pm_missing'),
}

for (const [backend, open] of Object.entries(subjects))
  for (const { port, title, run } of paymentVendorsCases)
    test(`${port} ${backend}: ${title}`, async (t) => {
      await t.notThrowsAsync(run(await open(t)))
    })

test('a slow reference of the sandbox waits 3 seconds and is verified, and no other waits', async (t) => {
  const waits: number[] = []
  const vendor = sandboxVendor({ wait: async (milliseconds) => void waits.push(milliseconds) })
  await vendor.verify({ organisation: 'LLUM', reference: 'sandbox-missing-1', type: 'CARD' })
  t.deepEqual(waits, [])
  const slow = { organisation: 'LLUM', reference: 'sandbox-slow-1', type: 'CARD' }
  t.is((await vendor.verify(slow))._tag, 'verified')
  t.deepEqual(waits, [3000])
})

test('the timer of the sandbox is a real one when none is given', async (t) => {
  const begin = performance.now()
  await sandboxVendor().verify({ organisation: 'LLUM', reference: 'sandbox-slow-1', type: 'CARD' })
  t.true(performance.now() - begin >= 2990)
})

test('each vendor gets its own instructions, with organisation, reference and type only', async (t) => {
  const asked: unknown[] = []
  const own: PaymentVendor = {
    code: 'OWN',
    takesReference: () => true,
    verify: async (instruction) => {
      asked.push(instruction)
      return { _tag: 'not_usable' }
    },
  }
  const instruction = { organisation: 'LLUM', reference: 'sandbox-missing-1', type: 'SEPA' }
  const answer = await paymentVendors([sandboxVendor(), own]).verify({ ...instruction, vendor: 'OWN' })
  t.deepEqual(answer, { _tag: 'Right', right: { _tag: 'not_usable' } })
  t.deepEqual(asked, [instruction])
})

test('a vendor that rejects is an unexpected failure with its cause, not an outcome', async (t) => {
  const bug = new TypeError('a bug in the vendor')
  const faulty: PaymentVendor = { ...sandboxVendor({ code: 'FAULTY' }), verify: () => Promise.reject(bug) }
  const instruction = { organisation: 'LLUM', vendor: 'FAULTY', reference: 'x', type: 'CARD' }
  const answer = await paymentVendors([faulty]).verify(instruction)
  t.like(answer, { _tag: 'Left', left: { kind: 'unexpected', cause: bug } })
})

test('two vendors with one code, and codes that no payload can name, are refused at once', (t) => {
  t.throws(() => paymentVendors([sandboxVendor(), sandboxVendor()]), { instanceOf: TypeError })
  for (const code of ['', '  ', 'x'.repeat(65)])
    t.throws(() => paymentVendors([sandboxVendor({ code })]), { instanceOf: TypeError }, code)
})

test('a vendor that is bound to organisations is registered for these only, and not called for others', async (t) => {
  const bound = { ...sandboxVendor({ code: 'BOUND' }), organisations: ['ACME', 'LLUM'] }
  const inMemory = inMemoryPaymentVendors(
    new Map([
      ['BOUND', new Map([['pm', verified]])],
      ['SANDBOX', new Map()],
    ]),
    new Map([['BOUND', ['ACME', 'LLUM']]]),
  )
  for (const vendors of [paymentVendors([bound, sandboxVendor()]), inMemory]) {
    const registered = ['ACME', 'LLUM', 'acme', 'OTHER'].map((each) => vendors.isRegistered('BOUND', each))
    t.deepEqual(registered, [true, true, false, false])
    t.true(vendors.isRegistered('SANDBOX', 'OTHER'))
    const asked = { vendor: 'BOUND', reference: 'pm', type: 'CARD' }
    t.like(await vendors.verify({ ...asked, organisation: 'ACME' }), { right: { _tag: 'verified' } })
    t.like(await vendors.verify({ ...asked, organisation: 'OTHER' }), { left: { kind: 'unexpected' } })
  }
})
