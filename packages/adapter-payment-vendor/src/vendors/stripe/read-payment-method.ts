import type { PaymentInstructionDetails } from '@account-import/core'
import { keepablePaymentDetails } from '@account-import/core/adapter-kit'
import type Stripe from 'stripe'

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

const fieldsAt = (value: unknown, key: string): Fields => {
  const found = isFields(value) ? value[key] : undefined
  return isFields(found) ? found : {}
}

const idOf = (value: unknown): unknown => (isFields(value) ? value['id'] : value)

const twoDigits = (value: unknown): string => String(value).padStart(2, '0')

/** What Stripe tells of the card or account itself, under the name of its kind. */
const instrumentOf = (method: Stripe.PaymentMethod): Fields => fieldsAt(method, method.type)

/** What may be kept of a payment method. */
export const detailsOf = (method: Stripe.PaymentMethod): PaymentInstructionDetails => {
  const instrument = instrumentOf(method)
  return keepablePaymentDetails({
    brand: instrument['brand'] ?? instrument['bank_name'],
    last4: instrument['last4'],
    expiry: `${String(instrument['exp_year'])}-${twoDigits(instrument['exp_month'])}`,
    country: instrument['country'],
    method: method.type,
    customerId: idOf(method.customer) ?? method.customer_account,
  })
}

/**
 * Whether it can be charged again, as far as Stripe tells; expiry is looked at elsewhere. One that was detached from its
 * customer, in either of the forms that Stripe has for customers, can never be used again; a bank may block an account.
 */
export const isChargeable = (method: Stripe.PaymentMethod): boolean =>
  (method.customer ?? method.customer_account ?? null) !== null &&
  Object.keys(fieldsAt(instrumentOf(method)['status_details'], 'blocked')).length === 0
