import { isPossibleReference } from '../../http/vendor-connection.js'
import type { AskedInstruction, ClearAnswer, VendorClient } from '../../payment-vendors.js'
import type { StripeVendorOptions } from './ask-stripe.js'

/** Payment methods, their older forms (cards, sources, bank accounts), and mandates. */
const stripeReference = /^(?:pm|card|src|ba|mandate)_[A-Za-z0-9_]{1,247}$/

/**
 * Stripe through its SDK: references that begin with `mandate_` are mandates, all others payment methods. A mandate must be
 * active; a payment method must be attached to its customer; both must be of the requested type.
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
