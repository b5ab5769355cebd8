import type { Webhook, WebhookDelivery, WebhookSecrets } from '../domain/webhook.js'
import type { Instant } from '../values/instant.js'
import type { PortResult } from './port-failure.js'

/** The end of an attempt. `gone`: the webhook is disabled, and its deliveries are removed. */
export type WebhookSettlement = Readonly<{ webhook: string; at: Instant }> &
  (
    | Readonly<{ _tag: 'delivered'; id: string }>
    | Readonly<{ _tag: 'deferred'; id: string; code: string; dueAt: Instant }>
    | Readonly<{ _tag: 'given_up'; id: string; code: string }>
    | Readonly<{ _tag: 'gone'; code: string }>
  )

/** The webhooks of all organisations, and their pending deliveries, which `ImportRuns` adds. */
export interface Webhooks {
  add(webhook: Webhook): PortResult<void>
  find(id: string): PortResult<Webhook | undefined>
  /** In order of organisation and id by Unicode code point. */
  list(): PortResult<readonly Webhook[]>
  /** Changes the secrets if the current one still is that of `known`; true for exactly one of several concurrent changes. */
  changeSecrets(id: string, known: WebhookSecrets, secrets: WebhookSecrets): PortResult<boolean>
  /** Removes the webhook and its deliveries. Returns whether there was one. */
  remove(id: string): PortResult<boolean>
  /** The ids of up to `limit` (1 to 1000) webhooks with a delivery that is due, the longest due first. */
  due(at: Instant, limit: number): PortResult<readonly string[]>
  /** The first delivery that is due for the webhook, by the time of its event, then in the order of `webhookEvents`. */
  next(webhook: string, at: Instant): PortResult<WebhookDelivery | undefined>
  /**
   * Stores the end of an attempt, also on the webhook: `latestDeliveryAt`, or `latestFailure` and `failingSince`. Removes a
   * delivery that was delivered or given up. If there is no such webhook or delivery, nothing changes.
   */
  settle(settlement: WebhookSettlement): PortResult<void>
}

/** A message by Standard Webhooks 1.0.0. */
export type WebhookMessage = Readonly<{
  url: string
  /** The same for each attempt. */
  id: string
  /** The moment of this attempt. */
  at: Instant
  body: string
  /** Each signs the message: one, or two during a rotation. `whsec_` and base64. */
  secrets: readonly string[]
}>

/**
 * The outcome of an attempt. `failed`: a retry may succeed; `gone`: the receiver wants no more messages; `stopped`: the signal
 * ended it. Codes are for logs and operators, such as `http_503`, and contain nothing of the message or the response.
 */
export type WebhookAnswer =
  | Readonly<{ _tag: 'accepted'; code: string }>
  | Readonly<{ _tag: 'failed'; code: string; retryAfterSeconds?: number }>
  | Readonly<{ _tag: 'gone'; code: string }>
  | Readonly<{ _tag: 'stopped' }>

/** Sends messages to receivers. A fault of the network or the receiver is an answer, never a failure of the port. */
export interface WebhookSender {
  /** False if nothing can be sent: then no webhook can be added. */
  readonly canSend: boolean
  /** Time-out of sending one message, in seconds. */
  readonly sendSeconds: number
  /** Whether messages may be sent to the address, by its text. Its host name is resolved only on sending. */
  takes(url: string): boolean
  /** Signs and sends the message once, and follows no redirect. */
  send(message: WebhookMessage, signal: AbortSignal): Promise<WebhookAnswer>
}
