import test, { type ExecutionContext } from 'ava'
import type { PaymentVerification } from '@account-import/core'
import { paymentVendorsCases, type PaymentVendorsSubject } from '@account-import/core/contract-tests'
import { guardedVendor, paymentVendors, type VendorClient } from '@account-import/adapter-payment-vendor'
import { httpJsonKind, paymentMethod, stripeKind } from './support/vendor-kinds.js'
import { startVendorServer } from './support/vendor-server.js'

type Outcome = PaymentVerification['_tag']

/** The last part of the path says what is answered. */
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

const subjectOf = async (
  t: ExecutionContext,
  client: (origin: string) => VendorClient,
  outcomes: Readonly<Record<string, Outcome>>,
  missing: string,
): Promise<PaymentVendorsSubject> => {
  const server = await startVendorServer((_nth, { url = '' }, response) => {
    const [status, body] = answers[/(\w+)(?:\?|$)/.exec(url)?.[1] ?? ''] ?? [500, {}]
    response.writeHead(status).end(JSON.stringify(body))
  })
  t.teardown(() => server.stop())
  const vendor = client(server.origin)
  // What fails all the time is asked about among others here, so the breaker is to stay closed.
  const limits = { breakAfter: 1000, pauseMilliseconds: 1 }
  return {
    paymentVendors: paymentVendors([guardedVendor(vendor, { limits })]),
    vendor: vendor.code,
    examples: Object.entries(outcomes).map(([reference, outcome]) => ({
      instruction: { reference, type: 'CARD' },
      outcome,
    })),
    unknown: [missing, '.', '..', '\ud800'],
  }
}

const subjects: Readonly<Record<string, (t: ExecutionContext) => Promise<PaymentVendorsSubject>>> = {
  'with HTTP-JSON': (t) =>
    subjectOf(
      t,
      httpJsonKind.client,
      {
        good: 'verified',
        expired: 'not_usable',
        revoked: 'not_usable',
        missing: 'not_found',
        refused: 'refused',
        broken: 'unavailable',
      },
      'missing',
    ),
  'with Stripe': (t) =>
    subjectOf(
      t,
      stripeKind.client,
      {
        pm_good: 'verified',
        pm_expired: 'not_usable',
        pm_missing: 'not_found',
        pm_refused: 'refused',
        pm_broken: 'unavailable',
      },
      'pm_missing',
    ),
}

for (const [backend, open] of Object.entries(subjects))
  for (const { port, title, run } of paymentVendorsCases)
    test(`${port} ${backend}: ${title}`, async (t) => {
      await t.notThrowsAsync(run(await open(t)))
    })
