import test, { type ExecutionContext } from 'ava'
import type { PaymentVerification } from '@account-import/core'
import { paymentVendorsCases, type PaymentVendorsSubject } from '@account-import/core/contract-tests'
import { guardedVendor, paymentVendors, type VendorClient } from '@account-import/adapter-payment-vendor'
import { httpJsonKind, paymentMethod, stripeKind } from './support/vendor-kinds.js'
import { configured, entriesAt } from './support/configured.js'
import { startVendorServer, type VendorServer } from './support/vendor-server.js'

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

const answering = async (t: ExecutionContext): Promise<VendorServer> => {
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

/** References that no vendor has: were one asked about, this server would answer it with 500. */
const strange = ['.', '..', '\ud800', 'a/../../admin/users?x=1#', '../../internal', 'x'.repeat(300)]

const subjectOf = async (
  t: ExecutionContext,
  client: (origin: string) => VendorClient,
  outcomes: Readonly<Record<string, Outcome>>,
  missing: string,
): Promise<PaymentVendorsSubject> => {
  const server = await answering(t)
  const vendor = client(server.origin)
  // What fails all the time is asked about among others here, so the breaker is to stay closed.
  const limits = { breakAfter: 1000, pauseMilliseconds: 1 }
  return {
    paymentVendors: paymentVendors([guardedVendor(vendor, { limits })]),
    vendor: vendor.code,
    examples: examplesOf(outcomes),
    unknown: [missing, ...strange],
  }
}

/** The same of a vendor of a configuration file. Its breaker opens soon, so that nothing may fail for long here. */
const configuredSubject = async (
  t: ExecutionContext,
  vendor: 'ACME' | 'STRIPE',
  outcomes: Readonly<Record<string, Outcome>>,
  missing: string,
): Promise<PaymentVendorsSubject> => {
  const server = await answering(t)
  const { vendors } = await configured(t, [entriesAt(server.origin)[vendor]])
  return { paymentVendors: vendors, vendor, examples: examplesOf(outcomes), unknown: [missing, ...strange] }
}

const httpJsonOutcomes = {
  good: 'verified',
  expired: 'not_usable',
  revoked: 'not_usable',
  missing: 'not_found',
  refused: 'refused',
} as const

const stripeOutcomes = {
  pm_good: 'verified',
  pm_expired: 'not_usable',
  pm_missing: 'not_found',
  pm_refused: 'refused',
} as const

const subjects: Readonly<Record<string, (t: ExecutionContext) => Promise<PaymentVendorsSubject>>> = {
  'with HTTP-JSON': (t) =>
    subjectOf(t, httpJsonKind.client, { ...httpJsonOutcomes, broken: 'unavailable' }, 'missing'),
  'with HTTP-JSON of a configuration file': (t) => configuredSubject(t, 'ACME', httpJsonOutcomes, 'missing'),
  'with Stripe': (t) =>
    subjectOf(t, stripeKind.client, { ...stripeOutcomes, pm_broken: 'unavailable' }, 'pm_missing'),
  'with Stripe of a configuration file': (t) => configuredSubject(t, 'STRIPE', stripeOutcomes, 'pm_missing'),
}

for (const [backend, open] of Object.entries(subjects))
  for (const { port, title, run } of paymentVendorsCases)
    test(`${port} ${backend}: ${title}`, async (t) => {
      await t.notThrowsAsync(run(await open(t)))
    })
