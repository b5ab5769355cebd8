import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExecutionContext } from 'ava'
import type { VendorAsked } from '@account-import/adapter-payment-vendor'
import type { PaymentVendors } from '@account-import/core'
import { createContainer, portIds, readConfig } from '@account-import/server'
import { tempFolder } from '../../support/temp-folder.js'

/** Entries of a configuration file for vendors at this origin: `STRIPE`, and `ACME` with plain HTTP and JSON. */
export const entriesAt = (origin: string) => ({
  STRIPE: { code: 'STRIPE', kind: 'stripe', secret_key_env: 'STRIPE_KEY', base_url: origin },
  ACME: {
    code: 'ACME',
    kind: 'http-json',
    url: `${origin}/{reference}`,
    headers_env: { Authorization: 'ACME_AUTH' },
    usable: { path: 'status', in: ['active'] },
    details: { brand: 'card.brand', last4: 'card.last4', expiry: 'card.expiry' },
    allow_private_address: true,
  },
})

export const vendorKeys = { STRIPE_KEY: 'rk_test_canary', ACME_AUTH: 'Bearer canary' }

/** The port as the server binds it to these entries of a file, and what its log is told. */
export const configured = async (
  t: ExecutionContext,
  vendors: readonly object[],
  environment: Readonly<Record<string, string>> = vendorKeys,
): Promise<Readonly<{ vendors: PaymentVendors; asked: readonly VendorAsked[] }>> => {
  const folder = await tempFolder(t)
  const path = join(folder, 'vendors.json')
  await writeFile(path, JSON.stringify({ vendors }))
  const read = readConfig({ DATA_DIR: folder, PAYMENT_VENDORS: path, ...environment }, 'operate')
  if (read._tag === 'Left') throw new Error(JSON.stringify(read.left))
  const asked: VendorAsked[] = []
  const container = createContainer(read.right, undefined, { onVendorAsked: (one) => asked.push(one) })
  t.teardown(() => container.unbindAllAsync())
  return { vendors: container.get(portIds.paymentVendors), asked }
}
