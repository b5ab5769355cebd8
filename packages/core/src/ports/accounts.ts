import type { AccountPaymentInstruction, AccountStatement } from '../domain/account-details.js'
import type { KnownNotes, NewNote } from '../domain/account-from-payload.js'
import type { AccountKey, UndoableAccount, UndoOutcome } from '../domain/account-import.js'
import type { Account, AddedItems } from '../domain/account.js'
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
  /** 1 to 1000. */
  limit: number
}>

/** The length of the texts in a page of stored accounts, in bytes as stored, above which it has only one account. */
export const storedPageBytes = 2 * 1024 * 1024

/** An account whose stored text is longer, in bytes, is read and worked on alone. */
export const largeAccountBytes = 128 * 1024

/**
 * A page of stored accounts. It ends at the limit of the request, or before the account with which its texts would be longer than
 * `storedPageBytes`; it has one account at least, unless there is none. `isLast`: there is none after it.
 */
export type StoredPage<Item> = Readonly<{ items: readonly Item[]; isLast: boolean }>

/**
 * The page of `found`, which are the next accounts: one more than `limit`, or all that are left. `bytesOf`: the length of the
 * text of an account.
 */
export const storedPageOf = <Item>(
  found: readonly Item[],
  limit: number,
  bytesOf: (item: Item) => number,
): StoredPage<Item> => {
  let bytes = 0
  const end = found.findIndex((item, index) => {
    bytes += bytesOf(item)
    return index === limit || (index > 0 && bytes > storedPageBytes)
  })
  return end === -1 ? { items: found, isLast: true } : { items: found.slice(0, end), isLast: false }
}

/** An account with the number of additions since it was created. */
export type StoredAccount = Readonly<{ account: Account; additions: number }>

/** The accounts of the platform, with all that belongs to them. */
export interface Accounts {
  /**
   * Only a platform that does something of its own at each creation has it, in `Ports.accounts` and in the stores of each unit of
   * work: it is called with the whole accounts inside the unit of work that creates them, under their claims. A failure, such as a
   * key or a number that it has already, creates nothing. Without it, an account is its staged payload and the items that were added
   * to it.
   */
  create?(accounts: readonly Account[]): PortResult<void>
  /** The platform keeps the details itself: staged payloads of created accounts may be removed after the retention days. */
  readonly keepsDetails?: true
  /**
   * The account with its additions, equal to all that was created and added. An erased account has its remaining details
   * (`erasedDetails`).
   */
  find(key: AccountKey): PortResult<Account | undefined>
  /** One page of a supplier's accounts. The cost does not depend on the position of the page. */
  page(request: AccountsPageRequest): PortResult<StoredPage<StoredAccount>>
}

/** Proof that the account is locked: no other unit of work adds to it until this one ends. Only `lock` makes one. */
export type LockedAccount = Readonly<{
  key: AccountKey
  platformAccountNumber: string
}> & { readonly LockedAccount: unique symbol }

/** Accounts that can be locked until the end of a unit of work. */
export interface LockableAccounts extends Accounts {
  /**
   * Waits until no other unit of work has locked the account, and locks it until this one ends: reads of the account by the
   * stores of its parts remain valid until then. Undefined when there is no account for the key, or it was erased.
   */
  lock(key: AccountKey): PortResult<LockedAccount | undefined>
  /**
   * Only a platform that does something of its own at each addition has it: it is called once for a request, after the stores of
   * the account's parts added its items. After a refusal or a failure the unit of work is rolled back.
   */
  itemsAdded?(
    account: LockedAccount,
    items: Partial<AddedItems>,
  ): PortResult<'agreed' | 'refused_by_platform'>
}

/** The notes of one account, while it is locked. */
export interface AccountNotes {
  /**
   * The times of creation of the account's notes with each of these contents (`noteContent`). Takes time in proportion to the
   * number of contents, not to the account.
   */
  withContents(account: LockedAccount, contents: readonly string[]): PortResult<KnownNotes>
  /**
   * Adds the notes after the account's present ones, in this order. Only one note of one content may be added without a time of
   * its own, and only one with the same time; more are a failure.
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
  /** Adds it after the account's present ones. An instruction that the account has is a failure. */
  add(account: LockedAccount, instruction: AccountPaymentInstruction): PortResult<void>
}

/** The statements of one account, while it is locked. */
export interface AccountStatements {
  /** Those of the ids that statements of the account have, compared exactly. */
  existingIds(account: LockedAccount, ids: readonly string[]): PortResult<ReadonlySet<string>>
  /** Adds the statements after the account's present ones, in this order. An id that the account has is a failure. */
  add(account: LockedAccount, statements: readonly AccountStatement[]): PortResult<void>
}

/** The transactions of one account, while it is locked. */
export interface AccountTransactions {
  /**
   * The facts of the account that decide about transactions of these ids. Takes time in proportion to the number of ids and
   * of the account's ledgers, not of its transactions; `ids` may contain an id twice.
   */
  known(account: LockedAccount, ids: readonly string[]): PortResult<AccountForTransactions>
  /**
   * Adds the transactions after the current ones of their ledgers, in this order. A second transaction with the same id and
   * `copy` is a failure, also of a transaction that the account was created with; so is a ledger that the account does not have.
   */
  add(account: LockedAccount, transactions: readonly AddedTransaction[]): PortResult<void>
}

/** Generates platform account numbers. */
export interface PlatformAccountNumbers {
  /**
   * A number that no account has: 1 to 32 characters of `A-Z 0-9 -`. Numbers of rolled back work may be lost. Databases
   * store the rows of accounts in the order of their numbers, so mostly ascending numbers make large imports fast.
   */
  next(): PortResult<string>
}

/** Created accounts of one supplier to be undone. */
export type UndoRequest = Readonly<{
  organisation: string
  importSupplier: string
  /** 1 to 1000, no two of them equal. */
  externalAccountNumbers: readonly string[]
  /** Whether accounts with additions are undone too, together with their additions. */
  withAdditions: boolean
  at: Instant
}>

/** `previewed`: the accounts as a preview showed them, in the order of the numbers; undefined for those to be kept. */
export type ConfirmedUndo = UndoRequest &
  Readonly<{ previewed: readonly (UndoableAccount | undefined)[]; by?: Actor | undefined }>

/**
 * Undoes created accounts. A platform that embeds the core wraps this port if it has to agree, or has data of its own to remove.
 */
export interface AccountUndo {
  /** Whether each of the accounts can be undone now, in the order of the numbers. Changes nothing. */
  canUndo(request: UndoRequest): PortResult<readonly UndoOutcome[]>

  /**
   * Undoes those accounts that have not changed since the preview, each atomically; one outcome for each, in the order of the
   * numbers, `undoable` for one that was undone. Removes the account, its items, its e-mail and the answers that are kept for
   * requests about it; its import counts as never staged: it may be staged and created again. Counts it in the run that created
   * it (`ImportRun.undone`). Records an audit event for each (`AuditTrail`), with its former number. May be repeated after a failure: accounts that were undone are `not_created` then.
   */
  undo(request: ConfirmedUndo): PortResult<readonly UndoOutcome[]>
}
