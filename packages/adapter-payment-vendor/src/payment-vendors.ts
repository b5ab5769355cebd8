import { type PaymentVendors, type PaymentVerification, portCall } from '@account-import/core'
import { withinTime } from '@account-import/core/adapter-kit'
import { VendorFailure, vendorTooSlow } from './guard/vendor-failure.js'
import type { InstructionOf, PaymentVendor } from './payment-vendor.js'

/** The guarantees of the port, also for vendors that see to their time themselves and fail to. */
const mostMilliseconds = 5000

const inTime = async (vendor: PaymentVendor, instruction: InstructionOf): Promise<PaymentVerification> => {
  try {
    return await withinTime(mostMilliseconds, () => vendor.verify(instruction), vendorTooSlow)
  } catch (cause) {
    if (cause instanceof VendorFailure) return { _tag: 'unavailable', retryAfterSeconds: 1 }
    throw cause
  }
}

/**
 * The port that knows these vendors; one that takes longer than 5 seconds is unavailable. Throws a `TypeError` when two
 * have one code, or a code is blank or too long.
 */
export const paymentVendors = (vendors: readonly PaymentVendor[]): PaymentVendors => {
  const byCode = new Map(vendors.map((vendor) => [vendor.code, vendor]))
  if (byCode.size < vendors.length) throw new TypeError('two payment vendors have the same code')
  if ([...byCode.keys()].some((code) => code.trim() === '' || code.length > 64))
    throw new TypeError('the code of a payment vendor has 1 to 64 characters and is not blank')
  const call = portCall('paymentVendors')
  const vendorFor = (code: string, organisation: string): PaymentVendor | undefined => {
    const vendor = byCode.get(code)
    return vendor?.organisations?.includes(organisation) === false ? undefined : vendor
  }
  return {
    isRegistered: (code, organisation) => vendorFor(code, organisation) !== undefined,
    takesReference: (code, reference) => byCode.get(code)?.takesReference(reference) ?? true,
    verify: ({ vendor, ...instruction }) =>
      call('verify', async () => {
        const registered = vendorFor(vendor, instruction.organisation)
        if (registered === undefined) throw new Error('the payment vendor is not registered')
        // Also for hosts that skip the question of the form: nothing else may get into a vendor's paths.
        if (!registered.takesReference(instruction.reference)) return { _tag: 'not_found' }
        return inTime(registered, instruction)
      }),
  }
}
