import type { TaskEither } from '../fp.js'
import type { AccountImports } from './account-imports.js'
import type { AccountNotes } from './account-notes.js'
import type { AccountPaymentInstructions } from './account-payment-instructions.js'
import type { AccountStatements } from './account-statements.js'
import type { AccountTransactions } from './account-transactions.js'
import type { LockableAccounts } from './accounts.js'
import type { Outbox } from './outbox.js'
import type { PortFailure } from './port-failure.js'

/**
 * The stores that take part in a unit of work, bound to it. Data is added to an account in one way: lock it, ask the
 * store of the part for what the request has to be compared with, decide, and add what is new all at once.
 */
export type TransactionalStores = Readonly<{
  accountImports: Omit<AccountImports, 'page'>
  accounts: LockableAccounts
  accountNotes: AccountNotes
  accountPaymentInstructions: AccountPaymentInstructions
  accountStatements: AccountStatements
  accountTransactions: AccountTransactions
  outbox: Pick<Outbox, 'enqueue'>
}>

export interface UnitOfWork {
  /**
   * Runs the work on stores of its own. Right: everything it did is there, durably, at once. Left: nothing of it
   * is. The work may be run again from its beginning when the store asks for it (a deadlock), so it does nothing
   * outside the stores that it is given. Only these stores may be used inside.
   */
  run<Refused, A>(
    work: (stores: TransactionalStores) => TaskEither<Refused, A>,
  ): TaskEither<Refused | PortFailure, A>
}
