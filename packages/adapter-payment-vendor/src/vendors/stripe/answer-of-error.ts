import Stripe from 'stripe'
import { VendorFailure } from '../../guard/vendor-failure.js'
import type { ClearAnswer } from '../../vendor-client.js'

/** What an error of the SDK says of the instruction. Throws a `VendorFailure` if it says nothing, or else the error. */
export const answerOfError = (cause: unknown): ClearAnswer => {
  if (!(cause instanceof Stripe.errors.StripeError)) throw cause
  // The SDK wraps what our own requests reject with.
  if (cause.detail instanceof VendorFailure) throw cause.detail
  const { statusCode } = cause
  if (statusCode === 404) return { _tag: 'not_found' }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return { _tag: 'refused' }
  throw new VendorFailure('form')
}
