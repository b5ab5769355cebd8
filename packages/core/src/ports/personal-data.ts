import type { AccountImport, AccountKey } from '../domain/account-import.js'
import type { Account } from '../domain/account.js'
import type { Actor } from '../domain/audit-entry.js'
import type { CustomerEmail } from '../domain/customer-email.js'
import type { RunFailure } from '../domain/import-run.js'
import type { Instant } from '../values/instant.js'
import type { KeptAnswer } from './idempotency-records.js'
import type { PortResult } from './port-failure.js'

/** Selects staged data to be removed: of a supplier's accounts that were created at `createdBy` or before. */
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

/** All stored data of one account import. */
export type HeldData = Readonly<{
  key: AccountKey
  /** Undefined if the account was never staged: a kept answer or a failure of a run may name it nevertheless. */
  accountImport: AccountImport | undefined
  firstStagedAt: Instant | undefined
  stagedAt: Instant | undefined
  /** When its staged data was removed, because it was due or because the account was erased. */
  payloadRemovedAt: Instant | undefined
  /** The latest erasure. */
  erasedAt: Instant | undefined
  /** The JSON text, unchanged; undefined after it was removed. */
  payload: string | undefined
  /** The SHA-256 of the latest staged data, in hexadecimal; undefined if nothing was ever staged. */
  payloadHash: string | undefined
  account: Account | undefined
  email: CustomerEmail | undefined
  /** In the order in which they expire. */
  answers: readonly HeldAnswer[]
  /** The failures of the account in import runs, by run, then in the order of their places. */
  runFailures: readonly RunFailure[]
}>

/** Counts of removed items; all 0 if there was nothing to remove. */
export type Removed = Readonly<{
  /** 1 if there was staged data. */
  payloads: number
  /** Removed entries of lists: customers, addresses, notes and all other lists of an account. */
  rows: number
  /** Transactions that lost texts or details. */
  transactions: number
  emails: number
  answers: number
  runFailures: number
}>

/** `logRemains`: a log of the store that others read still contains the removed data; another erasure tries again to empty it. */
export type Erased = Readonly<{ removed: Removed; logRemains?: true }>

/**
 * `unknown`: there is no stored data. `in_progress`: the account is being created. `email_being_sent`: a relay reads it now.
 * `refused_by_platform`: the platform that embeds the service does not allow it.
 */
export type Erasure =
  | Readonly<{ _tag: 'erased' } & Erased>
  | Readonly<{ _tag: 'unknown' | 'in_progress' | 'email_being_sent' | 'refused_by_platform' }>

/** Finds and removes personal data. */
export interface PersonalData {
  /**
   * Removes the staged data of the selected accounts, oldest first, and returns their number. Keeps all else of an import: its
   * state, versions, times, counts, and the hash of its data. Only for platforms that keep the details themselves
   * (`Accounts.keepsDetails`): a store whose accounts are their payloads loses them. Records an audit event for each (`AuditTrail`). The cost does not
   * depend on the number of accounts that were removed before.
   */
  removePayloads(due: DuePayloads): PortResult<number>

  /** All stored data of the account, in all tables; undefined if there is none. */
  find(key: AccountKey): PortResult<HeldData | undefined>

  /**
   * Removes all personal data, atomically: staged data, details (except `erasedDetails`), the e-mail, kept answers, and failures
   * of import runs. A created account remains created, and nothing can be added to it (`lock` does not find it). An import that
   * was not created counts as never staged, and is marked to be skipped. Changes nothing while the account is being created, or
   * its e-mail is being sent. May be repeated; each call records an audit event if there is an import. Removes answers and
   * failures also of an account that was never staged.
   */
  erase(key: AccountKey, at: Instant, by?: Actor): PortResult<Erasure>
}
