import type { OnVendorAsked } from './guard/vendor-asked.js'
import type { PaymentVendor } from './payment-vendor.js'

/** The same vendor; each call of it is told, as one try. For vendors that no guard logs. */
export const loggedVendor = (vendor: PaymentVendor, onAsked?: OnVendorAsked): PaymentVendor => ({
  ...vendor,
  verify: async (instruction) => {
    const begin = performance.now()
    const verified = await vendor.verify(instruction)
    const milliseconds = Math.round(performance.now() - begin)
    onAsked?.({ vendor: vendor.code, outcome: verified._tag, tries: 1, milliseconds })
    return verified
  },
})
