import type { TaskEither } from '../fp.js'
import type {
  AccountNotes,
  AccountPaymentInstructions,
  AccountStatements,
  AccountTransactions,
  LockableAccounts,
} from './accounts.js'
import type { AccountImports } from './account-imports.js'
import type { AuditTrail } from './audit-trail.js'
import type { KeyedWork } from './idempotency-records.js'
import type { Outbox } from './outbox.js'
import type { PortFailure } from './port-failure.js'

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
