import type { Instant } from '../values/instant.js'
import type { FailedAttempt } from './account-import.js'
import type { AccountKey } from './account-key.js'

/**
 * Where an e-mail is on its way. `sending`: the relay that has the token holds it until the lease ends; `parked`: not
 * tried again until an operator says so; `sent`: the channel took it over for every recipient that it did not refuse.
 */
export type EmailState =
  | Readonly<{ _tag: 'waiting'; dueAt: Instant }>
  | Readonly<{ _tag: 'sending'; token: string; leaseEndsAt: Instant }>
  | Readonly<{ _tag: 'parked'; at: Instant }>
  | Readonly<{ _tag: 'sent'; at: Instant }>

/**
 * The e-mail that tells the customers of one account that it was migrated, as one message for each; an account has one
 * at most. It holds no address and no name: these are read from the account when it is sent.
 */
export type CustomerEmail = Readonly<{
  /** Random letters and digits; Message-IDs come from it, so that a repeated message has the same. */
  id: string
  key: AccountKey
  platformAccountNumber: string
  /** ISO 639 code in lower case, such as `es`. */
  language: string
  enqueuedAt: Instant
  /** Failed deliveries; times when the whole channel did not work do not count. */
  attempts: number
  /** Indexes in `emailRecipients` of those that need nothing more: delivered, or refused for good; ascending. */
  served: readonly number[]
  latestFailure: FailedAttempt | undefined
  state: EmailState
}>

/** The id of the message to the recipient at this place: the same whenever it is sent again. */
export const messageIdAt = (id: string, place: number): string => (place === 0 ? id : `${id}.${place}`)

/** From a random secret: letters and digits only, so that it needs no quoting anywhere. */
export const emailIdFrom = (secret: string): string => secret.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, 22)
