import type { AccountForTransactions } from '../domain/adding-transactions/transaction-facts.js'
import type { AddedTransaction } from '../domain/adding-transactions/transactions-decision.js'
import type { LockedAccount } from './accounts.js'
import type { PortResult } from './port-failure.js'

/** The transactions of one account, while it is locked. */
export interface AccountTransactions {
  /**
   * What decides about transactions of these ids. Takes time in proportion to the ids that are asked for and the
   * account's ledgers, not to its transactions; an id may come twice.
   */
  known(account: LockedAccount, ids: readonly string[]): PortResult<AccountForTransactions>
  /**
   * Adds the transactions after the current ones of their ledgers, in this order. Those that the account was created
   * with count as added. Unique, and otherwise a failure: transactions of one id with one `copy`. A ledger that the
   * account does not have is a failure too.
   */
  add(account: LockedAccount, transactions: readonly AddedTransaction[]): PortResult<void>
}
