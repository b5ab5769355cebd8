import { portCall, type PaymentVendors } from '@account-import/core'
import type { PaymentVendor } from './payment-vendor.js'

/** The port that knows these vendors. Throws a `TypeError` when two have one code, or a code is blank or too long. */
export const paymentVendors = (vendors: readonly PaymentVendor[]): PaymentVendors => {
  const byCode = new Map(vendors.map((vendor) => [vendor.code, vendor]))
  if (byCode.size < vendors.length) throw new TypeError('two payment vendors have the same code')
  if ([...byCode.keys()].some((code) => code.trim() === '' || code.length > 64))
    throw new TypeError('the code of a payment vendor has 1 to 64 characters and is not blank')
  const call = portCall('paymentVendors')
  return {
    isRegistered: (code) => byCode.has(code),
    verify: ({ vendor, reference, type }) =>
      call('verify', async () => {
        const registered = byCode.get(vendor)
        if (registered === undefined) throw new Error('the payment vendor is not registered')
        return registered.verify({ reference, type })
      }),
  }
}
