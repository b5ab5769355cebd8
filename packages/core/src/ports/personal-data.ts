import type { AccountImport, AccountKey } from '../domain/account-import.js'
import type { Account } from '../domain/account.js'
import type { Actor } from '../domain/audit-entry.js'
import type { CustomerEmail } from '../domain/customer-email.js'
import type { RunFailure } from '../domain/import-run.js'
import type { Instant } from '../values/instant.js'
import type { KeptAnswer } from './idempotency-records.js'
import type { PortResult } from './port-failure.js'

/** Which staged data is to be removed: that of a supplier's accounts that were created by then. */
export type DuePayloads = Readonly<{
  organisation: string
  importSupplier: string
  createdBy: Instant
  at: Instant
  /** 1 to 1000. */
  limit: number
  by?: Actor | undefined
}>

/** An answer that is kept for a request about one account, until it expires. */
export type HeldAnswer = KeptAnswer & Readonly<{ expiresAt: Instant }>

/** All that the stores hold of one account. */
export type HeldData = Readonly<{
  key: AccountKey
  /** Absent of a pair that was never staged: a kept answer or a failure of a run may name it all the same. */
  accountImport: AccountImport | undefined
  firstStagedAt: Instant | undefined
  stagedAt: Instant | undefined
  /** Since when its staged data is gone, because that was due or because the account was erased. */
  payloadRemovedAt: Instant | undefined
  /** When it was erased last. */
  erasedAt: Instant | undefined
  /** The JSON text exactly as it was staged; absent where there is none any more. */
  payload: string | undefined
  /** The SHA-256 of what was staged last, in hexadecimal; absent where nothing was ever staged. */
  payloadHash: string | undefined
  account: Account | undefined
  email: CustomerEmail | undefined
  /** In the order in which they expire. */
  answers: readonly HeldAnswer[]
  /** That import runs were refused the account, by run, and then in the order of their places. */
  runFailures: readonly RunFailure[]
}>

/** How much was removed; all are 0 where nothing was left to remove. */
export type Removed = Readonly<{
  /** 1 where there was staged data. */
  payloads: number
  /** Entries of lists that are gone: customers, addresses, notes and whatever else an account consists of. */
  rows: number
  /** Transactions whose texts and details are gone. */
  transactions: number
  emails: number
  answers: number
  runFailures: number
}>

/**
 * `logRemains`: what was removed is still in a log of the store, from which others read; erasing again tries again to empty it.
 */
export type Erased = Readonly<{ removed: Removed; logRemains?: true }>

/** `unknown`: nothing is held of the pair. `in_progress`: it is being created, and `email_being_sent`: a relay reads it now. */
export type Erasure =
  | Readonly<{ _tag: 'erased' } & Erased>
  | Readonly<{ _tag: 'unknown' | 'in_progress' | 'email_being_sent' }>

/** Personal data: found whole, and removed. */
export interface PersonalData {
  /**
   * Removes the staged data of accounts that were created by then, oldest first, and says of how many it did. All else of an
   * import stays: its state, versions, times, counts, and the hash of its data. Each is put on record (`AuditTrail`). Cost does not depend on how many were removed before.
   */
  removePayloads(due: DuePayloads): PortResult<number>

  /** Everything that is held of the pair, in whatever table; undefined where nothing is. */
  find(key: AccountKey): PortResult<HeldData | undefined>

  /**
   * Removes everything that tells of a person, all of it or nothing: staged data, details (`erasedDetails` says what stays), the
   * e-mail, answers that are kept, and failures of import runs. A created account stays created, and nothing can be added to it any more (`lock` does
   * not find it). An import that was not created counts as never staged, and is marked to be skipped. Changes nothing while
   * the account is being created, or its e-mail is being sent. May be repeated; each time is put on record, where there is an
   * import. It removes the answers and failures of a pair that was never staged.
   */
  erase(key: AccountKey, at: Instant, by?: Actor): PortResult<Erasure>
}
