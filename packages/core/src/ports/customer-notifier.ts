import type { EmailRecipient } from '../domain/customer-email.js'
import type { Task } from '../fp.js'
import type { Instant } from '../values/instant.js'

/** The message to one customer; `id` is the same whenever the same notice is sent again, and no other notice has it. */
export type MigrationNotice = Readonly<{
  id: string
  language: string
  recipient: EmailRecipient
  importSupplier: string
  externalAccountNumber: string
  platformAccountNumber: string
  createdAt: Instant
}>

/** Why a notice was not taken over; for logs and operators. Holds no personal data. */
export type DeliveryCode =
  | 'not_configured'
  | 'stopped'
  | 'unreachable'
  | 'timed_out'
  | 'tls_failed'
  | 'auth_failed'
  | 'sender_refused'
  | 'server_busy'
  | 'connection_lost'
  | 'recipient_refused'
  | 'recipient_deferred'
  | 'message_refused'
  | 'message_deferred'
  | 'unexpected'

/**
 * `accepted`: taken over. `deferred`: not taken over, may work later. `refused`: not taken over and never will be.
 * `unavailable`: the channel does not work, whatever the notice.
 */
export type Delivery =
  | Readonly<{ _tag: 'accepted' }>
  | Readonly<{ _tag: 'deferred'; code: DeliveryCode }>
  | Readonly<{ _tag: 'refused'; code: DeliveryCode }>
  | Readonly<{ _tag: 'unavailable'; code: DeliveryCode }>

/** The channel to customers. When it does not work, that is an outcome, never a failure of the port. */
export interface CustomerNotifier {
  /** False where no channel is set up: e-mails then wait. */
  readonly canSend: boolean
  /**
   * Hands the notice to the channel, within `ServiceSettings.emails.sendSeconds`. When the signal is aborted it ends at
   * once: `unavailable`, and the notice may or may not have been taken over.
   */
  notify(notice: MigrationNotice, signal: AbortSignal): Task<Delivery>
}
