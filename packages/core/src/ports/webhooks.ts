import type { Webhook, WebhookDelivery, WebhookSecrets } from '../domain/webhook.js'
import type { Task } from '../fp.js'
import type { Instant } from '../values/instant.js'
import type { PortResult } from './port-failure.js'

/** How an attempt ends. `gone`: the webhook is disabled, and nothing waits for it any more. */
export type WebhookSettlement = Readonly<{ webhook: string; at: Instant }> &
  (
    | Readonly<{ _tag: 'delivered'; id: string }>
    | Readonly<{ _tag: 'deferred'; id: string; code: string; dueAt: Instant }>
    | Readonly<{ _tag: 'given_up'; id: string; code: string }>
    | Readonly<{ _tag: 'gone'; code: string }>
  )

/** The webhooks of all organisations, and the events that wait for them, which `ImportRuns` adds. */
export interface Webhooks {
  add(webhook: Webhook): PortResult<void>
  find(id: string): PortResult<Webhook | undefined>
  /** In order of organisation and id by Unicode code point. */
  list(): PortResult<readonly Webhook[]>
  /** Changes the secrets if the current one still is that of `known`, and says whether it did: one of several changes at once does. */
  changeSecrets(id: string, known: WebhookSecrets, secrets: WebhookSecrets): PortResult<boolean>
  /** Removes the webhook, and what waits under its id. Says whether there was one. */
  remove(id: string): PortResult<boolean>
  /** The ids of up to `limit` (1 to 1000) webhooks for which something is due, the longest due first. */
  due(at: Instant, limit: number): PortResult<readonly string[]>
  /** The first delivery that is due for the webhook, in the order of `compareDeliveries`. */
  next(webhook: string, at: Instant): PortResult<WebhookDelivery | undefined>
  /**
   * Keeps how an attempt ended, on the webhook too: `latestDeliveryAt`, or `latestFailure` and `failingSince`. A delivery that was delivered or given up
   * is gone. Where there is no such webhook or delivery, nothing changes.
   */
  settle(settlement: WebhookSettlement): PortResult<void>
}

/** A message as Standard Webhooks 1.0.0 has it. */
export type WebhookMessage = Readonly<{
  url: string
  /** The same for each attempt. */
  id: string
  /** The moment of this attempt. */
  at: Instant
  body: string
  /** Each signs the message: one, or two while one replaces the other. `whsec_` and base64. */
  secrets: readonly string[]
}>

/**
 * The outcome of an attempt. `failed`: it may work later; `gone`: the receiver wants nothing more; `stopped`: the signal ended it. Codes
 * are for logs and operators, such as `http_503`, and hold nothing of the message or the answer.
 */
export type WebhookAnswer =
  | Readonly<{ _tag: 'accepted'; code: string }>
  | Readonly<{ _tag: 'failed'; code: string; retryAfterSeconds?: number }>
  | Readonly<{ _tag: 'gone'; code: string }>
  | Readonly<{ _tag: 'stopped' }>

/** The way to receivers. When it does not work, that is an answer, never a failure of the port. */
export interface WebhookSender {
  /** False where nothing can be sent: then no webhook can be added. */
  readonly canSend: boolean
  /** Seconds that sending one message takes at most. */
  readonly sendSeconds: number
  /** Whether messages may go to the address, as far as its text says. Where a name leads is only seen on sending. */
  takes(url: string): boolean
  /** Signs and sends the message, once, following no redirect. */
  send(message: WebhookMessage, signal: AbortSignal): Task<WebhookAnswer>
}
