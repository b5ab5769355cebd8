import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { guardedVendor, paymentVendors } from '@account-import/adapter-payment-vendor'
import { paymentVendorsCases } from '@account-import/core/contract-tests'
import { giroVendor } from './giro-vendor.js'
import { startPracticeGiro } from './practice-giro.js'

const example = (reference: string, outcome: 'verified' | 'not_found' | 'not_usable' | 'unavailable') => ({
  instruction: { reference, type: 'DIRECT_DEBIT' },
  outcome,
})

for (const { port, title, run } of paymentVendorsCases)
  void test(`${port} with GIRO: ${title}`, async (t) => {
    const giro = await startPracticeGiro()
    t.after(giro.stop)
    const vendor = giroVendor({ origin: giro.origin, allowPrivateAddress: true, member: '4711' })
    await run({
      paymentVendors: paymentVendors([guardedVendor(vendor)]),
      vendor: 'GIRO',
      examples: [
        example('G-1', 'verified'),
        example('G-2', 'not_usable'),
        example('G-3', 'unavailable'),
        example('G-9', 'not_found'),
      ],
      unknown: ['G-9', 'G-', '../G-1', ''],
    })
  })

void test('a member that GIRO does not know is refused', async (t) => {
  const giro = await startPracticeGiro()
  t.after(giro.stop)
  const vendor = giroVendor({ origin: giro.origin, allowPrivateAddress: true, member: '1' })
  const { _tag } = await vendor.ask({ reference: 'G-1', type: 'DIRECT_DEBIT' }, AbortSignal.timeout(2000))
  equal(_tag, 'refused')
})
