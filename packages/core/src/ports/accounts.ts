import type { AccountPaymentInstruction, AccountStatement } from '../domain/account-details.js'
import type { KnownNotes, NewNote } from '../domain/account-from-payload.js'
import type { AccountKey, UndoableAccount, UndoOutcome } from '../domain/account-import.js'
import type { Account } from '../domain/account.js'
import type { AccountForTransactions, AddedTransaction } from '../domain/adding-transactions.js'
import type { Actor } from '../domain/audit-entry.js'
import type { Instant } from '../values/instant.js'
import type { PaymentInstruction } from './payment-vendors.js'
import type { PortResult } from './port-failure.js'

/** Accounts of one supplier after a number, in order of external account number by Unicode code point. */
export type AccountsPageRequest = Readonly<{
  organisation: string
  importSupplier: string
  /** Only account numbers after this one. */
  after: string | undefined
  /** 1 to 1001. */
  limit: number
}>

/** An account with how often something was added to it since it was created. */
export type StoredAccount = Readonly<{ account: Account; additions: number }>

/** The accounts that exist on the platform, with all that belongs to them. */
export interface Accounts {
  /**
   * Creates the accounts whole. To be called inside a unit of work that completes their imports. Key and
   * platform account number are unique: a second account with either is a failure, and nothing is created.
   */
  create(accounts: readonly Account[]): PortResult<void>
  /**
   * The account as stored, with what was added to it; equal to what was created and added, nothing lost. An erased account
   * has its remaining details (`erasedDetails`).
   */
  find(key: AccountKey): PortResult<Account | undefined>
  /** One page of a supplier's accounts. Cost does not depend on where the page lies. */
  page(request: AccountsPageRequest): PortResult<readonly StoredAccount[]>
}

/** Proof that the account is locked: nobody else adds to it until the unit of work ends. Only `lock` makes one. */
export type LockedAccount = Readonly<{
  key: AccountKey
  platformAccountNumber: string
}> & { readonly LockedAccount: unique symbol }

/** Accounts that can be locked inside a unit of work; its end is the end of the lock. */
export interface LockableAccounts extends Accounts {
  /**
   * Waits until no other unit of work holds the account, and keeps it until this one ends: what is read of the account
   * after that, by the stores of its parts, stays true until then. Undefined when there is no account for the key, or it was erased.
   */
  lock(key: AccountKey): PortResult<LockedAccount | undefined>
}

/** The notes of one account, while it is locked. */
export interface AccountNotes {
  /**
   * For each of the contents (`noteContent`) that notes of the account have, when those notes were created. Takes time
   * in proportion to the contents that are asked for, not to the account.
   */
  withContents(account: LockedAccount, contents: readonly string[]): PortResult<KnownNotes>
  /**
   * Adds the notes after those that the account has, in this order. Only one note of one content may be added without
   * a time of its own, and only one with the same time; more are a failure.
   */
  add(account: LockedAccount, notes: readonly NewNote[]): PortResult<void>
}

/** The payment instructions of one account, while it is locked. */
export interface AccountPaymentInstructions {
  /** Whether the account has the instruction: vendor and reference, compared exactly. */
  has(
    account: LockedAccount,
    instruction: Pick<PaymentInstruction, 'vendor' | 'reference'>,
  ): PortResult<boolean>
  /** Adds it after those that the account has. One that is there already is a failure. */
  add(account: LockedAccount, instruction: AccountPaymentInstruction): PortResult<void>
}

/** The statements of one account, while it is locked. */
export interface AccountStatements {
  /** Which of the ids the account has statements of, compared exactly. */
  existingIds(account: LockedAccount, ids: readonly string[]): PortResult<ReadonlySet<string>>
  /** Adds the statements after those that the account has, in this order. An id that is there already is a failure. */
  add(account: LockedAccount, statements: readonly AccountStatement[]): PortResult<void>
}

/** The transactions of one account, while it is locked. */
export interface AccountTransactions {
  /**
   * The facts of the account that decide about transactions of these ids. Takes time in proportion to the ids
   * that are asked for and the account's ledgers, not to its transactions; an id may come twice.
   */
  known(account: LockedAccount, ids: readonly string[]): PortResult<AccountForTransactions>
  /**
   * Adds the transactions after the current ones of their ledgers, in this order. A second transaction with the same id
   * and `copy` is a failure, those that the account was created with included; so is a ledger that the account does
   * not have.
   */
  add(account: LockedAccount, transactions: readonly AddedTransaction[]): PortResult<void>
}

/** Hands out the platform's own account numbers. */
export interface PlatformAccountNumbers {
  /**
   * A number that no account has: 1 to 32 characters of `A-Z 0-9 -`. Numbers of rolled back work may be lost. Databases
   * keep the rows of accounts in the order of their numbers, so numbers that mostly ascend keep large imports quick.
   */
  next(): PortResult<string>
}

/** Created accounts of one supplier that are to be taken back. */
export type UndoRequest = Readonly<{
  organisation: string
  importSupplier: string
  /** 1 to 1000, no two of them equal. */
  externalAccountNumbers: readonly string[]
  /** Whether accounts go to which something was added since they were created; what was added goes with them. */
  withAdditions: boolean
  at: Instant
}>

/** The accounts as a preview showed them, in the order of the numbers: undefined for those that it said are kept. */
export type ConfirmedUndo = UndoRequest &
  Readonly<{ previewed: readonly (UndoableAccount | undefined)[]; by?: Actor | undefined }>

/**
 * Created accounts can be taken back. A platform that embeds the core wraps this port where it has to agree, or has something of
 * its own to remove.
 */
export interface AccountUndo {
  /** Whether each of the accounts can be taken back now, in the order of the numbers. Changes nothing. */
  canUndo(request: UndoRequest): PortResult<readonly UndoOutcome[]>

  /**
   * Takes back those accounts that are as they were previewed, each wholly or not at all; answers for each, in the order of the
   * numbers, `undoable` for one that was taken back. The account, its items, its e-mail and the answers that are kept for
   * requests about it are removed, and its import counts as never staged: it may be staged and created again. Each is put on
   * record (`AuditTrail`), with the number that it had. May be repeated after a failure: accounts that were taken back are
   * `not_created` then.
   */
  undo(request: ConfirmedUndo): PortResult<readonly UndoOutcome[]>
}
