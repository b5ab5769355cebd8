import Stripe from 'stripe'
import { defaultGuardLimits } from '../../guard/guard-limits.js'
import { VendorFailure } from '../../guard/vendor-failure.js'
import { vendorConnection } from '../../http/vendor-connection.js'
import type { AskedInstruction } from '../../payment-vendor.js'
import type { ClearAnswer } from '../../vendor-client.js'
import { answerOfError } from './answer-of-error.js'
import { isOfType } from './methods-of-type.js'
import { readMandate } from './read-mandate.js'
import { detailsOf, isChargeable } from './read-payment-method.js'
import { stripeHttpClient } from './stripe-http-client.js'
import type { StripeVendorOptions } from './stripe-options.js'

const sdk = ({
  secretKey,
  baseUrl,
  tryMilliseconds = defaultGuardLimits.tryMilliseconds,
  resolve,
}: StripeVendorOptions): Stripe => {
  const { protocol, hostname, port } = new URL(baseUrl ?? 'https://api.stripe.com')
  const secure = protocol === 'https:'
  const allowPrivateAddress = baseUrl !== undefined
  const connection = vendorConnection({ allowPrivateAddress, ...(resolve !== undefined && { resolve }) })
  return new Stripe(typeof secretKey === 'string' ? secretKey : secretKey(), {
    protocol: secure ? 'https' : 'http',
    host: hostname.replaceAll(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 443 : 80) : Number(port),
    httpClient: stripeHttpClient(connection),
    maxNetworkRetries: 0,
    timeout: tryMilliseconds,
    telemetry: false,
  })
}

const readPaymentMethod = (method: Stripe.PaymentMethod, type: string): ClearAnswer =>
  isOfType(method.type, type) && isChargeable(method)
    ? { _tag: 'verified', details: detailsOf(method) }
    : { _tag: 'not_usable' }

/** An answer that is not about what was asked says nothing. */
const about = <A extends Readonly<{ id: string; object: string }>>(
  answer: A,
  id: string,
  object: string,
): A => {
  if (answer.id !== id || answer.object !== object) throw new VendorFailure('form')
  return answer
}

const retrieve = async (stripe: Stripe, { reference, type }: AskedInstruction): Promise<ClearAnswer> => {
  if (reference.startsWith('mandate_')) {
    const mandate = await stripe.mandates.retrieve(reference, { expand: ['payment_method'] })
    return readMandate(about(mandate, reference, 'mandate'), type)
  }
  const method = await stripe.paymentMethods.retrieve(reference)
  return readPaymentMethod(about(method, reference, 'payment_method'), type)
}

/** Asks Stripe through its SDK, which takes long to load: this file is loaded by the first question. */
export const askStripe = (options: StripeVendorOptions) => {
  const stripe = sdk(options)
  return async (instruction: AskedInstruction): Promise<ClearAnswer> => {
    try {
      return await retrieve(stripe, instruction)
    } catch (cause) {
      return answerOfError(cause)
    }
  }
}
