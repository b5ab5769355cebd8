import type { Webhook, WebhookDelivery, WebhookSecrets } from '../domain/webhook.js'
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
