import type { TaskEither } from '../fp.js'
import type { Instant } from '../values/instant.js'
import type { AccountImports } from './account-imports.js'
import type {
  AccountNotes,
  AccountPaymentInstructions,
  AccountStatements,
  AccountTransactions,
  LockableAccounts,
} from './accounts.js'
import type { AuditTrail } from './audit-trail.js'
import type { KeyedWork } from './idempotency-records.js'
import type { Outbox } from './outbox.js'
import type { PortFailure, PortResult } from './port-failure.js'

/** The right to do a job that all servers share, until it ends. */
export type Lease = Readonly<{
  /** Names the job, in 1 to 64 characters. */
  job: string
  /** The owner of the lease: `Secrets.generate`. */
  token: string
  at: Instant
  endsAt: Instant
}>

/** Lets one server at a time do what all of them would otherwise do twice. */
export interface Leases {
  /**
   * Takes the lease where nobody has it, where the last one has ended by `at`, or where it has this token already: then it ends at
   * `endsAt`. Says whether it was taken; of several at the same time exactly one gets true.
   */
  take(lease: Lease): PortResult<boolean>
}

/** A count: `amount` more of the subject's use, in the window of time that begins then. */
export type RateUse = Readonly<{
  /** The kind of the count and its owner; at most 255 characters. */
  subject: string
  beginsAt: Instant
  /** When the window may be forgotten; the same for each use of it. */
  expiresAt: Instant
  /** A whole number from 1. */
  amount: number
}>

/** Counts what is used of limits, in windows of time, for all servers together. */
export interface RateLimits {
  /**
   * Adds to what the subject has used in the window, and says how much that is now. Uses that come at the same time each
   * get a different number.
   */
  use(use: RateUse): PortResult<number>
  /** Removes windows that expired by `at`, at most `limit` of them, from 1 to 1000; says how many it found. */
  forget(at: Instant, limit: number): PortResult<number>
}

/**
 * The stores that take part in a unit of work. Every request that adds data to an account does it the same way: lock
 * the account, read what the request has to be compared with, decide, and add what is new all at once.
 */
export type TransactionalStores = Readonly<{
  accountImports: Omit<AccountImports, 'page' | 'stagedPage' | 'summary'>
  accounts: LockableAccounts
  accountNotes: AccountNotes
  accountPaymentInstructions: AccountPaymentInstructions
  accountStatements: AccountStatements
  accountTransactions: AccountTransactions
  auditTrail: Pick<AuditTrail, 'record'>
  keyedWork: KeyedWork
  outbox: Pick<Outbox, 'enqueue'>
}>

export interface UnitOfWork {
  /**
   * Runs the work in a transaction, with stores that belong to it. Right: all that it wrote is kept, and seen by others
   * at once. Left: nothing of it is kept. The work may be run again from its beginning (after a deadlock), so it must
   * use and change nothing but the stores that it is given.
   */
  run<Refused, A>(
    work: (stores: TransactionalStores) => TaskEither<Refused, A>,
  ): TaskEither<Refused | PortFailure, A>
}
