import { boundedGet, type BoundedGet } from '../../http/bounded-get.js'
import { isPossibleReference } from '../../http/possible-reference.js'
import { vendorConnection, type ConnectionOptions } from '../../http/vendor-connection.js'
import type { AskedInstruction } from '../../payment-vendor.js'
import type { ClearAnswer, VendorClient } from '../../vendor-client.js'
import type { AnswerRules } from './field-mapping.js'
import { readAnswer } from './read-answer.js'

export type HttpJsonVendorOptions = AnswerRules &
  Readonly<{
    code: string
    /** `https://…/{reference}?type={type}`, or `http://`; both are put in percent-encoded. */
    url: string
    /** Sent with every request, such as `Authorization`, or where each question gets them; never logged. */
    headers?: Readonly<Record<string, string>> | (() => Readonly<Record<string, string>>)
    /**
     * Which references the vendor can have; 1 to 255 of `A-Za-z0-9._~+=:@-` when absent. Never dots alone, which would be
     * steps through the vendor's paths. Begins and ends with the text, has the flag `u`.
     */
    referencePattern?: RegExp
  }> &
  Partial<ConnectionOptions>

/** Characters that mean nothing in paths and queries, or only what they are. */
const plainReference = /^[A-Za-z0-9._~+=:@-]{1,255}$/u

const filled = (template: string, { reference, type }: AskedInstruction): URL =>
  new URL(
    template.replaceAll(/\{(reference|type)\}/g, (_, name: string) =>
      encodeURIComponent(name === 'type' ? type : reference),
    ),
  )

const getOf = (url: URL, headers: Readonly<Record<string, string>>): Omit<BoundedGet, 'signal'> => {
  const secure = url.protocol === 'https:'
  return {
    secure,
    host: url.hostname.replaceAll(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
    path: `${url.pathname}${url.search}`,
    headers: { accept: 'application/json', 'accept-encoding': 'identity', ...headers },
  }
}

/** What statuses other than 200 say of the instruction; the rest is no clear answer before it comes here. */
const byStatus = (status: number): ClearAnswer =>
  status === 404 ? { _tag: 'not_found' } : { _tag: 'refused' }

/**
 * Any vendor that answers a GET with JSON: 200 is found, and the rules say whether it can be used; 404 is not found; 401,
 * 403 and other 4xx are refused; time-outs, 408, 429, 5xx, redirects and everything else are no clear answer.
 */
export const httpJsonVendor = (options: HttpJsonVendorOptions): VendorClient => {
  const { code, url, headers = {}, referencePattern = plainReference, ...others } = options
  const { allowPrivateAddress = false, ...rest } = others
  const connection = vendorConnection({ allowPrivateAddress, ...rest })
  return {
    code,
    takesReference: (reference) => isPossibleReference(reference) && referencePattern.test(reference),
    ask: async (instruction, signal) => {
      if (!isPossibleReference(instruction.reference) || !isPossibleReference(instruction.type))
        return { _tag: 'not_found' }
      const sent = typeof headers === 'function' ? headers() : headers
      const get = getOf(filled(url, instruction), sent)
      const { status, body } = await boundedGet(connection, { ...get, signal })
      return status === 200 ? readAnswer(body, rest, instruction) : byStatus(status)
    },
  }
}
