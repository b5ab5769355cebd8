import type { AccountForTransactions } from '../domain/adding-transactions/transaction-facts.js'
import type { AddedTransaction } from '../domain/adding-transactions/transactions-decision.js'
import type { LockedAccount } from './accounts.js'
import type { PortResult } from './port-failure.js'

/** The transactions of one account, while it is locked. */
export interface AccountTransactions {
  /**
   * What has to be known of the account to decide about transactions of these ids. Takes time in proportion to the ids
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
