import {
  httpJsonVendor,
  stripeVendor,
  type Resolve,
  type VendorClient,
} from '@account-import/adapter-payment-vendor'

/** A vendor over the network at an origin, an instruction, and its response when all is well. */
export type VendorKind = Readonly<{
  name: string
  reference: string
  client(origin: string, options?: { resolve?: Resolve; allowPrivateAddress?: boolean }): VendorClient
  good: object
  /** The form in which this vendor refuses with a status of 4xx. */
  refusal: object
}>

export const httpJsonKind: VendorKind = {
  name: 'HTTP-JSON',
  reference: 'ref-1',
  client: (origin, { resolve, allowPrivateAddress = true } = {}) =>
    httpJsonVendor({
      code: 'ACME',
      url: `${origin}/instructions/{reference}?type={type}`,
      headers: { Authorization: 'Bearer canary-secret' },
      usable: { path: 'status', in: ['active'] },
      details: { brand: 'card.brand', last4: '/card/last4', expiry: 'card.expiry', status: 'status' },
      allowPrivateAddress,
      ...(resolve !== undefined && { resolve }),
    }),
  good: { status: 'active', card: { brand: 'visa', last4: '4242', expiry: '12/99' } },
  refusal: { error: 'canary-answer' },
}

export const paymentMethod = {
  id: 'pm_1',
  object: 'payment_method',
  type: 'card',
  customer: 'cus_1',
  card: { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2099, country: 'ES' },
}

export const stripeKind: VendorKind = {
  name: 'Stripe',
  reference: 'pm_1',
  client: (origin, { resolve } = {}) =>
    stripeVendor({
      code: 'STRIPE',
      secretKey: 'rk_test_canary',
      baseUrl: origin,
      ...(resolve !== undefined && { resolve }),
    }),
  good: paymentMethod,
  refusal: { error: { type: 'invalid_request_error', message: 'canary-answer' } },
}

export const vendorKinds: readonly VendorKind[] = [httpJsonKind, stripeKind]
