import type { PaymentVendors, PaymentVerification } from '../ports/payment-vendors.js'
import { portCall } from '../ports/port-failure.js'

/** By vendor code: what each reference is answered with. */
export type KnownInstructions = ReadonlyMap<string, ReadonlyMap<string, PaymentVerification>>

/** By vendor code: the organisations that it is bound to; all may use a vendor that is not in it. */
export type VendorBindings = ReadonlyMap<string, readonly string[]>

/** Vendors that answer from the maps, which may change at any time; they know no reference but those in them. */
export const inMemoryPaymentVendors = (
  vendors: KnownInstructions,
  bindings: VendorBindings = new Map(),
): PaymentVendors => {
  const call = portCall('paymentVendors')
  const isRegistered = (vendor: string, organisation: string): boolean =>
    vendors.has(vendor) && (bindings.get(vendor)?.includes(organisation) ?? true)
  return {
    isRegistered,
    takesReference: () => true,
    verify: ({ organisation, vendor, reference }) =>
      call('verify', async () => {
        if (!isRegistered(vendor, organisation)) throw new Error('the payment vendor is not registered')
        return vendors.get(vendor)?.get(reference) ?? { _tag: 'not_found' }
      }),
  }
}
