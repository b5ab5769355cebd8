import { T, TE } from '../fp.js'
import type { AccessTokenClaims, AccessTokens, VerifiedToken } from '../ports/access.js'
import type { CustomerNotifier, Delivery, MigrationNotice } from '../ports/customer-notifier.js'
import type { Documents } from '../ports/documents.js'
import type { KeyRing } from '../ports/key-ring.js'
import type { PaymentVendors, PaymentVerification } from '../ports/payment-vendors.js'
import { portCall, portFailure } from '../ports/port-failure.js'
import type { WebhookAnswer, WebhookMessage, WebhookSender } from '../ports/webhook-sender.js'
import type { Secrets } from '../ports/secrets.js'
import { isDocumentKey } from '../values/document-path.js'
import { type Instant, toTheSecond } from '../values/instant.js'

const mostTokens = 100_000

/** Tokens that are random handles; they end with the process, or when very many newer ones were made. */
export const inMemoryAccessTokens = (secrets: Secrets): AccessTokens => {
  const known = new Map<string, AccessTokenClaims>()
  const call = portCall('accessTokens')
  const verified = (claims: AccessTokenClaims | undefined, at: Instant): VerifiedToken => {
    if (claims === undefined) return { _tag: 'invalid' }
    return claims.expiresAt <= at ? { _tag: 'expired' } : { _tag: 'verified', claims }
  }
  return {
    sign: (claims) =>
      call('sign', async () => {
        const token = secrets.generate()
        known.set(token, {
          ...claims,
          issuedAt: toTheSecond(claims.issuedAt),
          expiresAt: toTheSecond(claims.expiresAt),
        })
        const [oldest] = known.keys()
        if (known.size > mostTokens && oldest !== undefined) known.delete(oldest)
        return token
      }),
    verify: (token, at) => call('verify', async () => verified(known.get(token), at)),
  }
}

const accepted: Delivery = { _tag: 'accepted' }

/** Puts every notice into the list, and answers with the given outcome, or that it accepted the notice. */
export const inMemoryCustomerNotifier = (
  notices: MigrationNotice[],
  answer: (notice: MigrationNotice) => Delivery = () => accepted,
): CustomerNotifier => ({
  canSend: true,
  notify: (notice, signal) =>
    T.fromIO((): Delivery => {
      if (signal.aborted) return { _tag: 'unavailable', code: 'stopped' }
      notices.push(notice)
      return answer(notice)
    }),
})

/** Puts every message into the list, unsigned, and answers with the given answer, or that it was accepted. */
export const inMemoryWebhookSender = (
  messages: WebhookMessage[],
  answer: (message: WebhookMessage) => WebhookAnswer = () => ({ _tag: 'accepted', code: 'http_204' }),
): WebhookSender => ({
  canSend: true,
  sendSeconds: 15,
  takes: (url) => url.startsWith('https://'),
  send: (message, signal) =>
    T.fromIO((): WebhookAnswer => {
      if (signal.aborted) return { _tag: 'stopped' }
      messages.push(message)
      return answer(message)
    }),
})

/** Documents whose keys are in the set, which may change at any time. */
export const inMemoryDocuments = (stored: ReadonlySet<string>): Documents => {
  const call = portCall('documents')
  return {
    existing: (keys) =>
      call('existing', async () => new Set(keys.filter((key) => stored.has(key) && isDocumentKey(key)))),
    ready: () => call('ready', async () => undefined),
  }
}

/**
 * Vendors that answer from the maps, which may change at any time; they know no reference but those in them. `vendors`: by vendor
 * code, what each reference is answered with; `bindings`: by vendor code, the organisations that it is bound to, where all may use
 * a vendor that is not in it.
 */
export const inMemoryPaymentVendors = (
  vendors: ReadonlyMap<string, ReadonlyMap<string, PaymentVerification>>,
  bindings: ReadonlyMap<string, readonly string[]> = new Map(),
): PaymentVendors => {
  const call = portCall('paymentVendors')
  const isRegistered = (vendor: string, organisation: string): boolean =>
    vendors.has(vendor) && (bindings.get(vendor)?.includes(organisation) ?? true)
  return {
    isRegistered,
    takesReference: () => true,
    verify: ({ organisation, vendor, reference }) =>
      call('verify', async () => {
        if (!isRegistered(vendor, organisation)) throw new Error('the payment vendor is not registered')
        return vendors.get(vendor)?.get(reference) ?? { _tag: 'not_found' }
      }),
  }
}

/**
 * Keys that are names alone, the first one for new data keys: what was wrapped is remembered by id and text, not encrypted, and
 * several key rings may share it. For tests.
 */
export const inMemoryKeyRing = (
  [currentKeyId, ...others]: readonly [string, ...string[]],
  remembered: Map<string, Uint8Array> = new Map(),
): KeyRing => {
  const ids = new Set([currentKeyId, ...others])
  const call = portCall('keyRing')
  return {
    currentKeyId,
    wrap: (dataKey) =>
      call('wrap', async () => {
        const wrapped = String(remembered.size + 1)
        remembered.set(`${currentKeyId}:${wrapped}`, dataKey.slice())
        return { keyId: currentKeyId, wrapped }
      }),
    unwrap: ({ keyId, wrapped }) => {
      const failed = (kind: 'unavailable' | 'unexpected', what: string) =>
        TE.left(portFailure(kind, 'keyRing', 'unwrap', new Error(what)))
      if (!ids.has(keyId)) return failed('unavailable', 'there is no key of this id')
      const dataKey = remembered.get(`${keyId}:${wrapped}`)
      return dataKey === undefined ? failed('unexpected', 'the key did not wrap this') : TE.right(dataKey)
    },
  }
}
