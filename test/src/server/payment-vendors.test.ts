import test, { type ExecutionContext } from 'ava'
import type { PaymentVendors } from '@account-import/core'
import { configured, entriesAt, vendorKeys } from '../vendors/support/configured.js'
import { httpJsonKind, paymentMethod } from '../vendors/support/vendor-kinds.js'
import { startVendorServer, type VendorServer } from '../vendors/support/vendor-server.js'

const vendorServer = async (t: ExecutionContext): Promise<VendorServer> => {
  const server = await startVendorServer((_nth, { url = '' }, response) => {
    if (url.endsWith('/broken')) response.writeHead(503).end()
    else response.end(JSON.stringify(url.startsWith('/v1/') ? paymentMethod : httpJsonKind.good))
  })
  t.teardown(() => server.stop())
  return server
}

const bound = (
  t: ExecutionContext,
  origin: string,
  environment: Readonly<Record<string, string>> = vendorKeys,
) => configured(t, [{ code: 'SANDBOX', kind: 'sandbox' }, ...Object.values(entriesAt(origin))], environment)

const verify = async (vendors: PaymentVendors, vendor: string, reference: string) =>
  vendors.verify({ organisation: 'LLUM', vendor, reference, type: 'CARD' })()

test('the configured vendors are asked with their credentials, and each call is told without them', async (t) => {
  const server = await vendorServer(t)
  const { vendors, asked } = await bound(t, server.origin)
  t.like(await verify(vendors, 'SANDBOX', 'pm_1'), { right: { details: { brand: 'SANDBOX' } } })
  t.like(await verify(vendors, 'STRIPE', 'pm_1'), { right: { details: { customerId: 'cus_1' } } })
  t.deepEqual(await verify(vendors, 'ACME', 'canary-1'), {
    _tag: 'Right',
    right: { _tag: 'verified', details: { brand: 'visa', last4: '4242', expiry: '2099-12' } },
  })
  t.like(await verify(vendors, 'ACME', 'broken'), { right: { _tag: 'unavailable' } })
  t.false(vendors.isRegistered('OTHER', 'ACME'))
  t.deepEqual(server.headers.map(({ authorization }) => authorization).slice(0, 2), [
    'Bearer rk_test_canary',
    'Bearer canary',
  ])
  t.deepEqual(
    asked.map(({ vendor, outcome, tries, failure }) => [vendor, outcome, tries, failure]),
    [
      ['SANDBOX', 'verified', 1, undefined],
      ['STRIPE', 'verified', 1, undefined],
      ['ACME', 'verified', 1, undefined],
      ['ACME', 'unavailable', 3, 'status'],
    ],
  )
  t.notRegex(JSON.stringify(asked), /canary|visa|4242|cus_1/)
})

test('commands of operators need no credentials; asking a vendor without them is a failure that names the variable', async (t) => {
  const server = await vendorServer(t)
  const { vendors } = await bound(t, server.origin, {})
  t.true(vendors.isRegistered('STRIPE', 'ACME'))
  const answer = await verify(vendors, 'STRIPE', 'pm_1')
  t.like(answer, { _tag: 'Left', left: { kind: 'unexpected', port: 'paymentVendors' } })
  t.regex(answer._tag === 'Left' ? String(answer.left.cause) : '', /STRIPE_KEY is not set/)
  t.deepEqual(server.requests, [])
})

const strange = ['a/../../admin/users?x=1#', '../../internal', 'x'.repeat(300)]

test('a reference in no form of a configured vendor is not asked about, and its form is known without credentials', async (t) => {
  const server = await vendorServer(t)
  const { ACME, STRIPE } = entriesAt(server.origin)
  const bounded = { ...ACME, code: 'BOUNDED', reference_pattern: 'tok_[a-z0-9]{8}' }
  const { vendors, asked } = await configured(t, [ACME, STRIPE, bounded], {})
  for (const vendor of ['ACME', 'STRIPE', 'BOUNDED'])
    for (const reference of [...strange, 'tok_1234567/']) {
      t.false(vendors.takesReference(vendor, reference), `${vendor} ${reference}`)
      t.like(await verify(vendors, vendor, reference), { right: { _tag: 'not_found' } })
    }
  t.true(vendors.takesReference('BOUNDED', 'tok_12345678'))
  t.true(vendors.takesReference('STRIPE', 'pm_1'))
  t.deepEqual([server.requests, asked], [[], []])
})
