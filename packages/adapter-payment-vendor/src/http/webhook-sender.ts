import { createHmac } from 'node:crypto'
import { isIP } from 'node:net'
import {
  millisecondsOf,
  type WebhookAnswer,
  type WebhookMessage,
  type WebhookSender,
} from '@account-import/core'
import { VendorFailure } from '../vendor-failure.js'
import {
  boundedPost,
  type ConnectionOptions,
  mayBeAsked,
  placeOf,
  vendorConnection,
} from './vendor-connection.js'

const prefix = 'whsec_'

/** One signature of Standard Webhooks 1.0.0: `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`. */
const signature = (secret: string, signed: string): string =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice(prefix.length), 'base64'))
    .update(signed)
    .digest('base64')}`

const headersOf = ({ id, at, body, secrets }: WebhookMessage) => {
  const timestamp = Math.floor(millisecondsOf(at) / 1000)
  return {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'user-agent': 'account-import',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map((secret) => signature(secret, `${id}.${timestamp}.${body}`)).join(' '),
  }
}

/** 2xx accepts the message; 410 ends the webhook; a redirect is not followed; all other statuses may be temporary. */
const answerOf = (status: number, retryAfterSeconds: number | undefined): WebhookAnswer => {
  const code = `http_${status}`
  if (status >= 200 && status < 300) return { _tag: 'accepted', code }
  if (status === 410) return { _tag: 'gone', code }
  return { _tag: 'failed', code, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) }
}

/**
 * Sends messages to webhooks by Standard Webhooks 1.0.0, with the guard of payment vendors: only to addresses on the internet,
 * unless `allowPrivateAddress` is set, which also allows `http:`. Reads only the status and `Retry-After` of a response.
 */
export const httpWebhookSender = (
  options: ConnectionOptions &
    Readonly<{
      /** Seconds that one message may take, 1 or more. */
      sendSeconds: number
    }>,
): WebhookSender => {
  const { allowPrivateAddress, sendSeconds } = options
  const connection = vendorConnection(options)
  const takes = (text: string): boolean => {
    if (!URL.canParse(text)) return false
    const url = new URL(text)
    const { protocol, username, password, hash } = url
    // In another form, the host is not where people and lists expect it.
    if (!text.toLowerCase().startsWith(`${protocol}//`)) return false
    const isSecure = protocol === 'https:' || (protocol === 'http:' && allowPrivateAddress)
    if (!isSecure || username !== '' || password !== '' || hash !== '') return false
    const { host } = placeOf(url)
    return isIP(host) === 0 || mayBeAsked(host, allowPrivateAddress)
  }
  return {
    canSend: true,
    sendSeconds,
    takes,
    send: async (message, signal) => {
      // The URL was accepted when other addresses were allowed.
      if (!takes(message.url)) return { _tag: 'failed', code: 'address' }
      const url = new URL(message.url)
      const { secure, host } = placeOf(url)
      const late = AbortSignal.timeout(sendSeconds * 1000)
      try {
        const { status, retryAfterSeconds } = await boundedPost(connection, {
          secure,
          host,
          port: Number(url.port) || (secure ? 443 : 80),
          path: `${url.pathname}${url.search}`,
          headers: { host: url.host, ...headersOf(message) },
          signal: AbortSignal.any([signal, late]),
          body: message.body,
        })
        return answerOf(status, retryAfterSeconds)
      } catch (cause) {
        if (signal.aborted) return { _tag: 'stopped' }
        return { _tag: 'failed', code: cause instanceof VendorFailure ? cause.kind : 'unexpected' }
      }
    },
  }
}
