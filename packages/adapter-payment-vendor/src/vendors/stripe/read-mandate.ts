import { keepablePaymentDetails } from '@account-import/core/adapter-kit'
import type Stripe from 'stripe'
import type { ClearAnswer } from '../../vendor-client.js'
import { isOfType } from './methods-of-type.js'
import { detailsOf, isChargeable } from './read-payment-method.js'

/** What a mandate says that was asked for together with its payment method. */
export const readMandate = (mandate: Stripe.Mandate, type: string): ClearAnswer => {
  const { payment_method: method, payment_method_details: kind, status } = mandate
  const expanded = typeof method === 'object' ? method : undefined
  const usable =
    status === 'active' && isOfType(kind.type, type) && (expanded === undefined || isChargeable(expanded))
  if (!usable) return { _tag: 'not_usable' }
  const details = keepablePaymentDetails({ method: kind.type, mandateId: mandate.id, status })
  return { _tag: 'verified', details: { ...(expanded !== undefined && detailsOf(expanded)), ...details } }
}
