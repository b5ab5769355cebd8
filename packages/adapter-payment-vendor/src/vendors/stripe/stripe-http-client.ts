import Stripe from 'stripe'
import { VendorFailure } from '../../guard/vendor-failure.js'
import { boundedGet, type BoundedAnswer } from '../../http/bounded-get.js'
import type { VendorConnection } from '../../http/vendor-connection.js'

type Headers = Readonly<Record<string, string | number | readonly string[]>>

/** `stripe-notice` is left out as the SDK would write it to stderr. */
const headersOf = ({ headers }: BoundedAnswer): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name !== 'stripe-notice')
      .map(([name, value]) => [name, String(value)]),
  )

/** An answer with its body, which has to be one JSON object. */
class BoundedResponse extends Stripe.HttpClientResponse {
  readonly #body: string

  constructor(answer: BoundedAnswer) {
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

/**
 * What the SDK sends its requests through: bounded GETs and nothing else, so that nothing can be changed at Stripe
 * whatever the key allows.
 */
export const stripeHttpClient = (connection: VendorConnection): Stripe.HttpClient => ({
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
