import type { AccountPaymentInstruction, AccountStatement } from '../domain/account-details.js'
import type { KnownNotes, NewNote } from '../domain/account-from-payload.js'
import type { AccountForTransactions, AddedTransaction } from '../domain/adding-transactions.js'
import type { LockedAccount } from './accounts.js'
import type { PaymentInstruction } from './payment-vendors.js'
import type { PortResult } from './port-failure.js'

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
