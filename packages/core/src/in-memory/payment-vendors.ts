import type { PaymentVendors, PaymentVerification } from '../ports/payment-vendors.js'
import { portCall } from '../ports/port-failure.js'

/** By vendor code: what each reference is answered with. */
export type KnownInstructions = ReadonlyMap<string, ReadonlyMap<string, PaymentVerification>>

/** Vendors that answer from the maps, which may change at any time; they know no reference but those in them. */
export const inMemoryPaymentVendors = (vendors: KnownInstructions): PaymentVendors => {
  const call = portCall('paymentVendors')
  return {
    isRegistered: (vendor) => vendors.has(vendor),
    takesReference: () => true,
    verify: ({ vendor, reference }) =>
      call('verify', async () => {
        const references = vendors.get(vendor)
        if (references === undefined) throw new Error('the payment vendor is not registered')
        return references.get(reference) ?? { _tag: 'not_found' }
      }),
  }
}
