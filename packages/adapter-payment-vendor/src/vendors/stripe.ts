import type { PaymentInstructionDetails } from '@account-import/core'
import { keepablePaymentDetails } from '@account-import/core/adapter-kit'
import {
  boundedGet,
  type ConnectionOptions,
  isPossibleReference,
  placeOf,
  vendorConnection,
} from '../http/vendor-connection.js'
import type { AskedInstruction, ClearAnswer, VendorClient } from '../payment-vendors.js'
import { VendorFailure } from '../vendor-failure.js'
import { byStatus, parsed } from './http-json.js'

export type StripeVendorOptions = Readonly<{
  code: string
  /** A restricted key that may read payment methods and mandates; a function is called for each request. Never logged. */
  secretKey: string | (() => string)
  /** `https://host:port` in place of Stripe's own; its address may then be a private one. */
  baseUrl?: string
}> &
  Partial<Pick<ConnectionOptions, 'resolve'>>

/** The version of Stripe's API whose fields are read here; without it Stripe answers in the version of the account. */
const apiVersion = '2026-10-28.endive'

/** Payment methods, their older forms (cards, sources, bank accounts), and mandates. */
const stripeReference = /^(?:pm|card|src|ba|mandate)_[A-Za-z0-9_]{1,247}$/

/** Stripe's payment methods for each type of instruction; a type that is not listed, such as `CUSTOM`, may be any. */
const methodsOfType: ReadonlyMap<string, readonly unknown[]> = new Map([
  ['CARD', ['card']],
  [
    'DIRECT_DEBIT',
    ['sepa_debit', 'bacs_debit', 'au_becs_debit', 'acss_debit', 'nz_bank_account', 'us_bank_account'],
  ],
  ['PAYMENT_SLIP', ['boleto', 'konbini', 'multibanco', 'oxxo']],
])

const isOfType = (method: unknown, type: string): boolean => methodsOfType.get(type)?.includes(method) ?? true

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

const fieldsAt = (fields: Fields, key: string): Fields => {
  const found = fields[key]
  return isFields(found) ? found : {}
}

const idOf = (value: unknown): unknown => (isFields(value) ? value['id'] : value)

const twoDigits = (value: unknown): string => String(value).padStart(2, '0')

/** Stripe's details of the card or account itself, in the field of its kind. */
const instrumentOf = (method: Fields): Fields => fieldsAt(method, String(method['type']))

/** The details of a payment method that may be stored. */
const detailsOf = (method: Fields): PaymentInstructionDetails => {
  const instrument = instrumentOf(method)
  return keepablePaymentDetails({
    brand: instrument['brand'] ?? instrument['bank_name'],
    last4: instrument['last4'],
    expiry: `${String(instrument['exp_year'])}-${twoDigits(instrument['exp_month'])}`,
    country: instrument['country'],
    method: method['type'],
    customerId: idOf(method['customer']) ?? method['customer_account'],
  })
}

/**
 * Whether Stripe allows another charge; expiry is checked elsewhere. A method that was detached from its customer, in either of
 * Stripe's forms of customers, can never be used again; a bank may block an account.
 */
const isChargeable = (method: Fields): boolean =>
  (method['customer'] ?? method['customer_account'] ?? null) !== null &&
  Object.keys(fieldsAt(fieldsAt(instrumentOf(method), 'status_details'), 'blocked')).length === 0

/** The outcome of a mandate that was read together with its payment method. */
const readMandate = (mandate: Fields, type: string): ClearAnswer => {
  const { id, status, payment_method: expanded } = mandate
  const { type: method } = fieldsAt(mandate, 'payment_method_details')
  const usable =
    status === 'active' && isOfType(method, type) && (!isFields(expanded) || isChargeable(expanded))
  if (!usable) return { _tag: 'not_usable' }
  const details = keepablePaymentDetails({ method, mandateId: id, status })
  return { _tag: 'verified', details: { ...(isFields(expanded) && detailsOf(expanded)), ...details } }
}

const readPaymentMethod = (method: Fields, type: string): ClearAnswer =>
  isOfType(method['type'], type) && isChargeable(method)
    ? { _tag: 'verified', details: detailsOf(method) }
    : { _tag: 'not_usable' }

const mandates = {
  object: 'mandate',
  path: 'mandates',
  query: '?expand[0]=payment_method',
  read: readMandate,
}
const methods = { object: 'payment_method', path: 'payment_methods', query: '', read: readPaymentMethod }

/** A refusal has Stripe's `error`; any other response is about the object that was requested, or is unclear. */
const readAnswer = (
  { status, body }: Awaited<ReturnType<typeof boundedGet>>,
  { object, read }: typeof mandates,
  { reference, type }: AskedInstruction,
): ClearAnswer => {
  const answer: Fields = { ...parsed(body) }
  const isRefusal = Boolean(answer['error'])
  if (status !== 200 && isRefusal) return byStatus(status)
  if (isRefusal || status !== 200 || answer['id'] !== reference || answer['object'] !== object)
    throw new VendorFailure('form')
  return read(answer, type)
}

/**
 * Stripe, read by bounded GETs, so that nothing can be changed there with any key. References that begin with `mandate_` are
 * mandates, all others payment methods. A mandate must be active; a payment method must be attached to its customer; both must be
 * of the requested type.
 */
export const stripeVendor = ({ code, secretKey, baseUrl, ...others }: StripeVendorOptions): VendorClient => {
  const connection = vendorConnection({ allowPrivateAddress: baseUrl !== undefined, ...others })
  const place = placeOf(new URL(baseUrl ?? 'https://api.stripe.com'))
  return {
    code,
    takesReference: (reference) => stripeReference.test(reference),
    ask: async (instruction, signal) => {
      const { reference } = instruction
      if (!isPossibleReference(reference)) return { _tag: 'not_found' }
      const kind = reference.startsWith('mandate_') ? mandates : methods
      const answer = await boundedGet(connection, {
        ...place,
        path: `/v1/${kind.path}/${encodeURIComponent(reference)}${kind.query}`,
        headers: {
          accept: 'application/json',
          'accept-encoding': 'identity',
          authorization: `Bearer ${typeof secretKey === 'string' ? secretKey : secretKey()}`,
          'stripe-version': apiVersion,
        },
        signal,
      })
      return readAnswer(answer, kind, instruction)
    },
  }
}
