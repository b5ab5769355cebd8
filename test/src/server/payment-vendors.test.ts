import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import type { VendorAsked } from '@account-import/adapter-payment-vendor'
import type { PaymentVendors } from '@account-import/core'
import { createContainer, portIds, readConfig } from '@account-import/server'
import { httpJsonKind, paymentMethod } from '../vendors/support/vendor-kinds.js'
import { startVendorServer, type VendorServer } from '../vendors/support/vendor-server.js'
import { tempFolder } from '../support/temp-folder.js'

const vendorServer = async (t: ExecutionContext): Promise<VendorServer> => {
  const server = await startVendorServer((_nth, { url = '' }, response) => {
    if (url.endsWith('/broken')) response.writeHead(503).end()
    else response.end(JSON.stringify(url.startsWith('/v1/') ? paymentMethod : httpJsonKind.good))
  })
  t.teardown(() => server.stop())
  return server
}

/** The port as the server binds it to vendors at this origin, and what its log is told. */
const bound = async (t: ExecutionContext, origin: string, environment: Readonly<Record<string, string>>) => {
  const folder = await tempFolder(t)
  const path = join(folder, 'vendors.json')
  const vendors = [
    { code: 'SANDBOX', kind: 'sandbox' },
    { code: 'STRIPE', kind: 'stripe', secret_key_env: 'STRIPE_KEY', base_url: origin },
    {
      code: 'ACME',
      kind: 'http-json',
      url: `${origin}/{reference}`,
      headers_env: { Authorization: 'ACME_AUTH' },
      usable: { path: 'status', in: ['active'] },
      details: { brand: 'card.brand', last4: 'card.last4', expiry: 'card.expiry' },
      allow_private_address: true,
    },
  ]
  await writeFile(path, JSON.stringify({ vendors }))
  const read = readConfig({ DATA_DIR: folder, PAYMENT_VENDORS: path, ...environment }, 'operate')
  if (read._tag === 'Left') throw new Error(JSON.stringify(read.left))
  const asked: VendorAsked[] = []
  const container = createContainer(read.right, undefined, { onVendorAsked: (one) => asked.push(one) })
  t.teardown(() => container.unbindAllAsync())
  return { vendors: container.get(portIds.paymentVendors), asked }
}

const verify = async (vendors: PaymentVendors, vendor: string, reference: string) =>
  vendors.verify({ organisation: 'LLUM', vendor, reference, type: 'CARD' })()

test('the configured vendors are asked with their credentials, and each call is told without them', async (t) => {
  const server = await vendorServer(t)
  const secrets = { STRIPE_KEY: 'rk_test_canary', ACME_AUTH: 'Bearer canary' }
  const { vendors, asked } = await bound(t, server.origin, secrets)
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
