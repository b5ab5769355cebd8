import type { Contact, CustomerEmail, EmailRecipient } from '../domain/customer-email.js'
import type { Task } from '../fp.js'
import type { Instant } from '../values/instant.js'
import type { PortResult } from './port-failure.js'

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

/** An e-mail as it begins: to be sent at once. */
export type NewCustomerEmail = Pick<
  CustomerEmail,
  'id' | 'key' | 'platformAccountNumber' | 'language' | 'enqueuedAt'
>

export type EmailClaimRequest = Readonly<{
  /** Unique to this claim: `Secrets.generate`. */
  token: string
  at: Instant
  leaseEndsAt: Instant
  /** How many at most, 1 to 100. */
  limit: number
}>

/** The right to send one e-mail until the lease ends, with the customers of its account as they are now. */
export type ClaimedEmail = Readonly<{
  email: CustomerEmail
  token: string
  leaseEndsAt: Instant
  /** `unreadable` where they are kept encrypted, and the key is missing or does not fit. */
  customers: readonly Contact[] | 'unreadable'
}>

/** A claim that goes on, with those whom it has reached by now. */
export type EmailRenewal = Readonly<{
  id: string
  token: string
  leaseEndsAt: Instant
  served: readonly number[]
}>

/** How a claim ends. `deferred` and `parked` count as an attempt, `released` does not. */
export type EmailSettlement = Readonly<{ id: string; token: string; at: Instant }> &
  (
    | Readonly<{ _tag: 'sent'; code?: string }>
    | Readonly<{ _tag: 'deferred'; dueAt: Instant; code: string; served: readonly number[] }>
    | Readonly<{ _tag: 'parked'; code: string; served: readonly number[] }>
    | Readonly<{ _tag: 'released'; code?: string }>
  )

/** `waiting` holds those that are being sent too. */
export const emailLists = ['waiting', 'parked', 'sent'] as const
export type EmailList = (typeof emailLists)[number]

export type EmailPageRequest = Readonly<{
  organisation: string
  importSupplier: string
  /** Absent: all. */
  list: EmailList | undefined
  /** Only account numbers after this one. */
  after: string | undefined
  /** 1 to 1000. */
  limit: number
}>

/** How much is in the outbox. */
export type OutboxBacklog = Readonly<{
  /** E-mails that wait, those that are being sent included; counted up to the limit. */
  waiting: number
  /** E-mails that an operator has to look at; counted up to the limit. */
  parked: number
  /** The earliest time at which one of those that wait may be taken, or after which its lease has ended. */
  firstDueAt: Instant | undefined
}>

/** The e-mails to customers, kept until they are sent, and afterwards so that none is made twice. */
export interface Outbox {
  /**
   * Keeps the e-mails, due at once. To be called inside the unit of work that creates the accounts. A second e-mail
   * for an account, or with an id, is a failure.
   */
  enqueue(emails: readonly NewCustomerEmail[]): PortResult<void>

  /**
   * Takes the e-mails that are due longest, those whose lease has ended included. It may choose at random among the
   * first four times `limit`, so that claims at the same time seldom want the same. Each e-mail goes to one of several
   * concurrent claims; a claim may get fewer than `limit` if others took some. Cost depends on the limit alone,
   * not on how many e-mails there are.
   */
  claimDue(request: EmailClaimRequest): PortResult<readonly ClaimedEmail[]>

  /**
   * Keeps on record who has theirs by now, and lets the lease end later, if the claim is still the one named: otherwise
   * `lease_lost`, and nothing changes.
   */
  renew(renewal: EmailRenewal): PortResult<'renewed' | 'lease_lost'>

  /** Ends the claim if it is still the one named: otherwise `lease_lost`, and nothing changes. */
  settle(settlement: EmailSettlement): PortResult<'settled' | 'lease_lost'>

  /** Counts of the whole service. Counts up to `limit`, 1 to 100 000, so that the cost has a bound. */
  backlog(limit: number): PortResult<OutboxBacklog>

  find(id: string): PortResult<CustomerEmail | undefined>

  /** In order of external account number by Unicode code point. Cost does not depend on where the page lies. */
  page(request: EmailPageRequest): PortResult<readonly CustomerEmail[]>

  /**
   * Makes those that are parked, or wait for another try, due at once and forgets their attempts; answers how many.
   * Those that are sent, or being sent, stay as they are. At most 1000 ids.
   */
  retry(ids: readonly string[], at: Instant): PortResult<number>
}
