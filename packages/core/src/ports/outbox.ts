import type { Contact, CustomerEmail, EmailRecipient } from '../domain/customer-email.js'
import type { Instant } from '../values/instant.js'
import type { PortResult } from './port-failure.js'

/** The message to one customer; `id` is unique, and the same when the notice is sent again. */
export type MigrationNotice = Readonly<{
  id: string
  language: string
  recipient: EmailRecipient
  importSupplier: string
  externalAccountNumber: string
  platformAccountNumber: string
  createdAt: Instant
}>

/** Why a notice was not accepted; for logs and operators. Contains no personal data. */
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
 * `accepted`: the channel has the notice. `deferred`: a retry may succeed. `refused`: no retry will succeed. `unavailable`: the
 * channel works for no notice.
 */
export type Delivery =
  | Readonly<{ _tag: 'accepted' }>
  | Readonly<{ _tag: 'deferred'; code: DeliveryCode }>
  | Readonly<{ _tag: 'refused'; code: DeliveryCode }>
  | Readonly<{ _tag: 'unavailable'; code: DeliveryCode }>

/** The channel to customers. A channel that does not work is an outcome, never a failure of the port. */
export interface CustomerNotifier {
  /** False if no channel is set up: e-mails then wait. */
  readonly canSend: boolean
  /**
   * Hands the notice to the channel, within `ServiceSettings.emails.sendSeconds`. When the signal is aborted it ends at
   * once with `unavailable`, and the channel may or may not have accepted the notice.
   */
  notify(notice: MigrationNotice, signal: AbortSignal): Promise<Delivery>
}

/** A new e-mail, due at once. */
export type NewCustomerEmail = Pick<
  CustomerEmail,
  'id' | 'key' | 'platformAccountNumber' | 'language' | 'enqueuedAt'
>

export type EmailClaimRequest = Readonly<{
  /** Unique to this claim: `Secrets.generate`. */
  token: string
  at: Instant
  leaseEndsAt: Instant
  /** 1 to 100. */
  limit: number
}>

/** The lease of one e-mail, with the present customers of its account. */
export type ClaimedEmail = Readonly<{
  email: CustomerEmail
  token: string
  leaseEndsAt: Instant
  /** `unreadable` if they are encrypted, and the key is missing or wrong. */
  customers: readonly Contact[] | 'unreadable'
}>

/** Prolongs a lease, and stores the recipients that need nothing more. */
export type EmailRenewal = Readonly<{
  id: string
  token: string
  leaseEndsAt: Instant
  served: readonly number[]
}>

/** The end of a claim. `deferred` and `parked` count as an attempt, `released` does not. */
export type EmailSettlement = Readonly<{ id: string; token: string; at: Instant }> &
  (
    | Readonly<{ _tag: 'sent'; code?: string }>
    | Readonly<{ _tag: 'deferred'; dueAt: Instant; code: string; served: readonly number[] }>
    | Readonly<{ _tag: 'parked'; code: string; served: readonly number[] }>
    | Readonly<{ _tag: 'released'; code?: string }>
  )

/** `waiting` includes e-mails that are being sent. */
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

/** Counts of the outbox. */
export type OutboxBacklog = Readonly<{
  /** E-mails that wait or are being sent; counted up to the limit. */
  waiting: number
  /** E-mails that an operator has to check; counted up to the limit. */
  parked: number
  /** The earliest time at which a waiting e-mail is due, or the lease of one ends. */
  firstDueAt: Instant | undefined
}>

/** The e-mails to customers. Sent ones are kept, so that no account gets a second one. */
export interface Outbox {
  /**
   * Stores the e-mails, due at once. To be called inside the unit of work that creates the accounts. A second e-mail
   * for an account, or with an id, is a failure.
   */
  enqueue(emails: readonly NewCustomerEmail[]): PortResult<void>

  /**
   * Takes the e-mails that are due longest, including those whose lease has ended. It may choose at random among the
   * first four times `limit`, so that concurrent claims seldom conflict. Each e-mail goes to one of several concurrent
   * claims; a claim may get fewer than `limit` if others took some. The cost depends on the limit alone, not on the
   * number of e-mails.
   */
  claimDue(request: EmailClaimRequest): PortResult<readonly ClaimedEmail[]>

  /**
   * Stores the served recipients, and prolongs the lease, if `token` still has it: otherwise `lease_lost`, and nothing
   * changes.
   */
  renew(renewal: EmailRenewal): PortResult<'renewed' | 'lease_lost'>

  /** Ends the claim if `token` still has it: otherwise `lease_lost`, and nothing changes. */
  settle(settlement: EmailSettlement): PortResult<'settled' | 'lease_lost'>

  /** Counts of the whole service, up to `limit`, 1 to 100 000, to bound the cost. */
  backlog(limit: number): PortResult<OutboxBacklog>

  find(id: string): PortResult<CustomerEmail | undefined>

  /** In order of external account number by Unicode code point. The cost does not depend on the position of the page. */
  page(request: EmailPageRequest): PortResult<readonly CustomerEmail[]>

  /**
   * Makes those e-mails that are parked or wait for a retry due at once, and sets their attempts to 0; returns how many.
   * E-mails that are sent, or being sent, are not changed. At most 1000 ids.
   */
  retry(ids: readonly string[], at: Instant): PortResult<number>
}
