import test from 'ava'
import type { PaymentVerification } from '@account-import/core'
import { paymentVendorsCases, type PaymentVendorsSubject } from '@account-import/core/contract-tests'
import { inMemoryPaymentVendors } from '@account-import/core/in-memory'
import { paymentVendors, sandboxVendor, type PaymentVendor } from '@account-import/adapter-payment-vendor'

const outcomes: readonly PaymentVerification[] = [
  { _tag: 'verified', details: { brand: 'ACME', last4: '0001', expiry: '2031-01' } },
  { _tag: 'not_found' },
  { _tag: 'not_usable' },
  { _tag: 'refused' },
  { _tag: 'unavailable', retryAfterSeconds: 2 },
  { _tag: 'unreachable' },
]

const example = (reference: string, outcome: PaymentVerification['_tag']) => ({
  instruction: { reference, type: 'CARD' },
  outcome,
})

const inMemory = (): PaymentVendorsSubject => ({
  paymentVendors: inMemoryPaymentVendors(
    new Map([['ACME', new Map(outcomes.map((outcome) => [`ref-${outcome._tag}`, outcome]))]]),
  ),
  vendor: 'ACME',
  unknown: ['ref-0', '', '..', '\ud800', 'constructor'],
  examples: outcomes.map(({ _tag }) => example(`ref-${_tag}`, _tag)),
})

const sandbox = (): PaymentVendorsSubject => ({
  paymentVendors: paymentVendors([sandboxVendor()]),
  vendor: 'SANDBOX',
  unknown: ['sandbox-missing-', 'sandbox-missing-\ud800'],
  examples: [
    example('sandbox-missing-1', 'not_found'),
    example('sandbox-unusable-1', 'not_usable'),
    example('sandbox-refused-1', 'refused'),
    example('sandbox-unavailable-1', 'unavailable'),
    example('sandbox-unreachable-1', 'unreachable'),
    example('pm_1Q0PsIJvEtkwdCNYMSaVuRz6', 'verified'),
    example('Sandbox-missing-1', 'verified'),
    example('x-sandbox-missing-1', 'verified'),
  ],
})

for (const [backend, subject] of Object.entries({ 'in memory': inMemory, 'with the sandbox': sandbox }))
  for (const { port, title, run } of paymentVendorsCases)
    test(`${port} ${backend}: ${title}`, async (t) => {
      await t.notThrowsAsync(run(subject()))
    })

test('a slow reference of the sandbox waits 3 seconds and is verified; no other waits', async (t) => {
  const waits: number[] = []
  const vendor = sandboxVendor({
    wait: async (milliseconds) => {
      waits.push(milliseconds)
    },
  })
  await vendor.verify({ organisation: 'LLUM', reference: 'sandbox-missing-1', type: 'CARD' })
  t.deepEqual(waits, [])
  t.is(
    (await vendor.verify({ organisation: 'LLUM', reference: 'sandbox-slow-1', type: 'CARD' }))._tag,
    'verified',
  )
  t.deepEqual(waits, [3000])
})

test('the timer of the sandbox is a real one when none is given', async (t) => {
  const begin = performance.now()
  await sandboxVendor().verify({ organisation: 'LLUM', reference: 'sandbox-slow-1', type: 'CARD' })
  t.true(performance.now() - begin >= 2990)
})

test('each vendor is asked about its own instructions, with organisation, reference and type and nothing else', async (t) => {
  const asked: unknown[] = []
  const own: PaymentVendor = {
    code: 'OWN',
    takesReference: () => true,
    verify: async (instruction) => {
      asked.push(instruction)
      return { _tag: 'not_usable' }
    },
  }
  const vendors = paymentVendors([sandboxVendor(), own])
  const verified = await vendors.verify({
    organisation: 'LLUM',
    vendor: 'OWN',
    reference: 'sandbox-missing-1',
    type: 'SEPA',
  })()
  t.deepEqual(verified, { _tag: 'Right', right: { _tag: 'not_usable' } })
  t.deepEqual(asked, [{ organisation: 'LLUM', reference: 'sandbox-missing-1', type: 'SEPA' }])
})

test('a vendor that rejects is an unexpected failure with its cause, not an outcome', async (t) => {
  const bug = new TypeError('a bug in the vendor')
  const faulty: PaymentVendor = { ...sandboxVendor({ code: 'FAULTY' }), verify: () => Promise.reject(bug) }
  const answer = await paymentVendors([faulty]).verify({
    organisation: 'LLUM',
    vendor: 'FAULTY',
    reference: 'x',
    type: 'CARD',
  })()
  t.like(answer, { _tag: 'Left', left: { kind: 'unexpected', cause: bug } })
})

test('two vendors with one code, and codes that no payload can name, are refused at once', (t) => {
  t.throws(() => paymentVendors([sandboxVendor(), sandboxVendor()]), { instanceOf: TypeError })
  for (const code of ['', '  ', 'x'.repeat(65)])
    t.throws(() => paymentVendors([sandboxVendor({ code })]), { instanceOf: TypeError }, code)
})

test('a vendor that is bound to organisations is registered for these alone, and asked for no other', async (t) => {
  const bound = { ...sandboxVendor({ code: 'BOUND' }), organisations: ['ACME', 'LLUM'] }
  const inMemory = inMemoryPaymentVendors(
    new Map([
      ['BOUND', new Map([['pm', outcomes[0] as PaymentVerification]])],
      ['SANDBOX', new Map()],
    ]),
    new Map([['BOUND', ['ACME', 'LLUM']]]),
  )
  for (const vendors of [paymentVendors([bound, sandboxVendor()]), inMemory]) {
    const registered = ['ACME', 'LLUM', 'acme', 'OTHER'].map((each) => vendors.isRegistered('BOUND', each))
    t.deepEqual(registered, [true, true, false, false])
    t.true(vendors.isRegistered('SANDBOX', 'OTHER'))
    const asked = { vendor: 'BOUND', reference: 'pm', type: 'CARD' }
    t.like(await vendors.verify({ ...asked, organisation: 'ACME' })(), { right: { _tag: 'verified' } })
    t.like(await vendors.verify({ ...asked, organisation: 'OTHER' })(), { left: { kind: 'unexpected' } })
  }
})
