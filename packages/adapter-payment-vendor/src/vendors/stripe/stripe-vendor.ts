import { isPossibleReference } from '../../http/vendor-connection.js'
import type { AskedInstruction, ClearAnswer, VendorClient } from '../../payment-vendors.js'
import type { StripeVendorOptions } from './ask-stripe.js'

/** Payment methods, what Stripe keeps in their place from earlier days, and mandates. */
const stripeReference = /^(?:pm|card|src|ba|mandate)_[A-Za-z0-9_]{1,247}$/

/**
 * Stripe through its SDK: references that begin with `mandate_` are mandates, all others payment methods. A mandate has to
 * be active; a payment method attached to its customer; both of the type that was asked for.
 */
export const stripeVendor = (options: StripeVendorOptions): VendorClient => {
  let asking: Promise<(instruction: AskedInstruction) => Promise<ClearAnswer>> | undefined
  return {
    code: options.code,
    takesReference: (reference) => stripeReference.test(reference),
    ask: async (instruction) => {
      if (!isPossibleReference(instruction.reference)) return { _tag: 'not_found' }
      asking ??= import('./ask-stripe.js').then(({ askStripe }) => askStripe(options))
      return (await asking)(instruction)
    },
  }
}
