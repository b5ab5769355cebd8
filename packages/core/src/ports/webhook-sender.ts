import type { Task } from '../fp.js'
import type { Instant } from '../values/instant.js'

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
