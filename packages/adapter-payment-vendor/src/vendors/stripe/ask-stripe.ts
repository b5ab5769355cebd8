import type { PaymentInstructionDetails } from '@account-import/core'
import { keepablePaymentDetails } from '@account-import/core/adapter-kit'
import Stripe from 'stripe'
import { defaultGuardLimits } from '../../guard/guarded-vendor.js'
import { VendorFailure } from '../../vendor-failure.js'
import {
  boundedGet,
  type ConnectionOptions,
  placeOf,
  vendorConnection,
} from '../../http/vendor-connection.js'
import type { AskedInstruction, ClearAnswer } from '../../payment-vendors.js'

export type StripeVendorOptions = Readonly<{
  code: string
  /** A restricted key that may read payment methods and mandates; a function is called at the first request. Never logged. */
  secretKey: string | (() => string)
  /** `https://host:port` in place of Stripe's own; its address may then be a private one. */
  baseUrl?: string
  /** Time limit of one try, in milliseconds; 2200 when absent. */
  tryMilliseconds?: number
}> &
  Partial<Pick<ConnectionOptions, 'resolve'>>

/**
 * The outcome of an error of the SDK. Throws a `VendorFailure` where the error allows no outcome, and any other error unchanged.
 */
const answerOfError = (cause: unknown): ClearAnswer => {
  if (!(cause instanceof Stripe.errors.StripeError)) throw cause
  // The SDK wraps the errors of this adapter's HTTP client.
  if (cause.detail instanceof VendorFailure) throw cause.detail
  const { statusCode } = cause
  if (statusCode === 404) return { _tag: 'not_found' }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return { _tag: 'refused' }
  throw new VendorFailure('form')
}

/** Stripe's payment methods for each type of instruction; a type that is not listed, such as `CUSTOM`, may be any. */
const methodsOfType: ReadonlyMap<string, readonly string[]> = new Map([
  ['CARD', ['card']],
  [
    'DIRECT_DEBIT',
    ['sepa_debit', 'bacs_debit', 'au_becs_debit', 'acss_debit', 'nz_bank_account', 'us_bank_account'],
  ],
  ['PAYMENT_SLIP', ['boleto', 'konbini', 'multibanco', 'oxxo']],
])

const isOfType = (method: string, type: string): boolean => methodsOfType.get(type)?.includes(method) ?? true

/** The outcome of a mandate that was read together with its payment method. */
const readMandate = (mandate: Stripe.Mandate, type: string): ClearAnswer => {
  const { payment_method: method, payment_method_details: kind, status } = mandate
  const expanded = typeof method === 'object' ? method : undefined
  const usable =
    status === 'active' && isOfType(kind.type, type) && (expanded === undefined || isChargeable(expanded))
  if (!usable) return { _tag: 'not_usable' }
  const details = keepablePaymentDetails({ method: kind.type, mandateId: mandate.id, status })
  return { _tag: 'verified', details: { ...(expanded !== undefined && detailsOf(expanded)), ...details } }
}

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

const fieldsAt = (value: unknown, key: string): Fields => {
  const found = isFields(value) ? value[key] : undefined
  return isFields(found) ? found : {}
}

const idOf = (value: unknown): unknown => (isFields(value) ? value['id'] : value)

const twoDigits = (value: unknown): string => String(value).padStart(2, '0')

/** Stripe's details of the card or account itself, in the field of its kind. */
const instrumentOf = (method: Stripe.PaymentMethod): Fields => fieldsAt(method, method.type)

/** The details of a payment method that may be stored. */
const detailsOf = (method: Stripe.PaymentMethod): PaymentInstructionDetails => {
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
 * Whether Stripe allows another charge; expiry is checked elsewhere. A method that was detached from its customer, in either of
 * Stripe's forms of customers, can never be used again; a bank may block an account.
 */
const isChargeable = (method: Stripe.PaymentMethod): boolean =>
  (method.customer ?? method.customer_account ?? null) !== null &&
  Object.keys(fieldsAt(instrumentOf(method)['status_details'], 'blocked')).length === 0

type Answer = Awaited<ReturnType<typeof boundedGet>>

type Headers = Readonly<Record<string, string | number | readonly string[]>>

/** `stripe-notice` is left out, because the SDK would write it to stderr. */
const headersOf = ({ headers }: Answer): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name !== 'stripe-notice')
      .map(([name, value]) => [name, String(value)]),
  )

/** A response with its body, which must be one JSON object. */
class BoundedResponse extends Stripe.HttpClientResponse {
  readonly #body: string

  constructor(answer: Answer) {
    super(answer.status, headersOf(answer))
    this.#body = answer.body
  }

  override getRawResponse(): unknown {
    return {}
  }

  override async toJSON(): Promise<object> {
    const json: unknown = JSON.parse(this.#body)
    if (typeof json !== 'object' || json === null || Array.isArray(json)) throw new VendorFailure('form')
    return json
  }
}

const sendable = (headers: Headers): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

/** The HTTP client of the SDK sends only bounded GETs, so that nothing can be changed at Stripe with any key. */
const stripeHttpClient = (connection: ReturnType<typeof vendorConnection>): Stripe.HttpClient => ({
  getClientName: () => 'account-import',
  makeRequest: async (host, port, path, method, headers, _body, protocol, timeout) => {
    if (method !== 'GET') throw new TypeError('Stripe is only read')
    const answer = await boundedGet(connection, {
      secure: protocol === 'https',
      host,
      port: Number(port),
      path,
      headers: { ...sendable(headers), 'accept-encoding': 'identity' },
      signal: AbortSignal.timeout(timeout),
    })
    return new BoundedResponse(answer)
  },
})

const sdk = ({
  secretKey,
  baseUrl,
  tryMilliseconds = defaultGuardLimits.tryMilliseconds,
  resolve,
}: StripeVendorOptions): Stripe => {
  const { secure, host, port } = placeOf(new URL(baseUrl ?? 'https://api.stripe.com'))
  const allowPrivateAddress = baseUrl !== undefined
  const connection = vendorConnection({ allowPrivateAddress, ...(resolve !== undefined && { resolve }) })
  return new Stripe(typeof secretKey === 'string' ? secretKey : secretKey(), {
    protocol: secure ? 'https' : 'http',
    host,
    port,
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

/** Throws a `VendorFailure` for a response about another object. */
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

/** Reads from Stripe through its SDK, which takes long to load: the first request loads this file. */
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
