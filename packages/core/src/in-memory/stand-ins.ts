import { E } from '../fp.js'
import type { AccessTokenClaims, AccessTokens, VerifiedToken } from '../ports/access.js'
import type { CustomerNotifier, Delivery, MigrationNotice } from '../ports/outbox.js'
import type { Documents } from '../ports/documents.js'
import type { KeyRing, Secrets } from '../ports/secrets.js'
import type { PaymentVendors, PaymentVerification } from '../ports/payment-vendors.js'
import { portFailure, type PortFailure, portOf } from '../ports/port-failure.js'
import type { WebhookAnswer, WebhookMessage, WebhookSender } from '../ports/webhooks.js'
import { isDocumentKey } from '../values/document-path.js'
import { type Instant, toTheSecond } from '../values/instant.js'

const mostTokens = 100_000

/** Tokens that are random handles; they are valid until the process ends, or 100,000 newer ones were made. */
export const inMemoryAccessTokens = (secrets: Secrets): AccessTokens => {
  const known = new Map<string, AccessTokenClaims>()
  const verified = (claims: AccessTokenClaims | undefined, at: Instant): VerifiedToken => {
    if (claims === undefined) return { _tag: 'invalid' }
    return claims.expiresAt <= at ? { _tag: 'expired' } : { _tag: 'verified', claims }
  }
  return portOf('accessTokens', {
    sign: async (claims) => {
      const token = secrets.generate()
      known.set(token, {
        ...claims,
        issuedAt: toTheSecond(claims.issuedAt),
        expiresAt: toTheSecond(claims.expiresAt),
      })
      const [oldest] = known.keys()
      if (known.size > mostTokens && oldest !== undefined) known.delete(oldest)
      return token
    },
    verify: async (token, at) => verified(known.get(token), at),
  })
}

const accepted: Delivery = { _tag: 'accepted' }

/** Appends every notice to the list, and returns the outcome of `answer`, `accepted` when absent. */
export const inMemoryCustomerNotifier = (
  notices: MigrationNotice[],
  answer: (notice: MigrationNotice) => Delivery = () => accepted,
): CustomerNotifier => ({
  canSend: true,
  notify: async (notice, signal) => {
    if (signal.aborted) return { _tag: 'unavailable', code: 'stopped' }
    notices.push(notice)
    return answer(notice)
  },
})

/** Appends every message, unsigned, to the list, and returns the result of `answer`, `accepted` when absent. */
export const inMemoryWebhookSender = (
  messages: WebhookMessage[],
  answer: (message: WebhookMessage) => WebhookAnswer = () => ({ _tag: 'accepted', code: 'http_204' }),
): WebhookSender => ({
  canSend: true,
  sendSeconds: 15,
  takes: (url) => url.startsWith('https://'),
  send: async (message, signal) => {
    if (signal.aborted) return { _tag: 'stopped' }
    messages.push(message)
    return answer(message)
  },
})

/** Documents with the keys in the set, which may change at any time. */
export const inMemoryDocuments = (stored: ReadonlySet<string>): Documents => {
  return portOf('documents', {
    existing: async (keys) => new Set(keys.filter((key) => stored.has(key) && isDocumentKey(key))),
    ready: async () => undefined,
  })
}

/**
 * Vendors that answer from the maps, which may change at any time. `vendors`: by vendor code and reference, the answer,
 * `not_found` for other references; `bindings`: by vendor code, the organisations that it is bound to; all may use a vendor
 * without an entry.
 */
export const inMemoryPaymentVendors = (
  vendors: ReadonlyMap<string, ReadonlyMap<string, PaymentVerification>>,
  bindings: ReadonlyMap<string, readonly string[]> = new Map(),
): PaymentVendors => {
  const isRegistered = (vendor: string, organisation: string): boolean =>
    vendors.has(vendor) && (bindings.get(vendor)?.includes(organisation) ?? true)
  return {
    isRegistered,
    takesReference: () => true,
    ...portOf<Pick<PaymentVendors, 'verify'>>('paymentVendors', {
      verify: async ({ organisation, vendor, reference }) => {
        if (!isRegistered(vendor, organisation)) throw new Error('the payment vendor is not registered')
        return vendors.get(vendor)?.get(reference) ?? { _tag: 'not_found' }
      },
    }),
  }
}

/**
 * A key ring for tests. Its keys are ids alone, the first one for new data keys: `remembered` maps ids and texts to unencrypted
 * data keys, and several key rings may share it.
 */
export const inMemoryKeyRing = (
  [currentKeyId, ...others]: readonly [string, ...string[]],
  remembered: Map<string, Uint8Array> = new Map(),
): KeyRing => {
  const ids = new Set([currentKeyId, ...others])
  return {
    currentKeyId,
    wrap: async (dataKey) => {
      const wrapped = String(remembered.size + 1)
      remembered.set(`${currentKeyId}:${wrapped}`, dataKey.slice())
      return E.right({ keyId: currentKeyId, wrapped })
    },
    unwrap: async ({ keyId, wrapped }) => {
      const failed = (kind: 'unavailable' | 'unexpected', what: string) =>
        E.left(portFailure(kind, 'keyRing', 'unwrap', new Error(what)))
      if (!ids.has(keyId)) return failed('unavailable', 'there is no key of this id')
      const dataKey = remembered.get(`${keyId}:${wrapped}`)
      return dataKey === undefined ? failed('unexpected', 'the key did not wrap this') : E.right(dataKey)
    },
  }
}

/**
 * A port whose named operation fails from its `nth` call on (counted from 1), `times` times, always when absent; for tests of
 * failing ports. All other operations are the port's own.
 */
export const failing = <Port extends object, Operation extends keyof Port & string>(
  port: Port,
  operation: Operation,
  {
    nth = 1,
    times = Infinity,
    kind = 'unavailable',
  }: Readonly<{ nth?: number; times?: number; kind?: PortFailure['kind'] }> = {},
): Port => {
  const own = port[operation]
  if (typeof own !== 'function') throw new TypeError(`${operation} is no operation`)
  let calls = 0
  const failed = E.left(portFailure(kind, 'failing', operation, new Error('made to fail')))
  const replaced = (...input: readonly unknown[]): unknown => {
    calls += 1
    return calls >= nth && calls < nth + times
      ? Promise.resolve(failed)
      : Reflect.apply(own, port, [...input])
  }
  return { ...port, [operation]: replaced }
}
