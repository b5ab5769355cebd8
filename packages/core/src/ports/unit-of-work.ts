import type { Either } from '../fp.js'
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

/** Leases of jobs: a lease is the exclusive right of one server to do a job until `endsAt`. */
export interface Leases {
  /**
   * Takes the lease until `endsAt`, if there is none, if it ended at `at` or before, or if it has this token already. Returns
   * whether it was taken; exactly one of several concurrent calls gets true.
   */
  take(
    lease: Readonly<{
      /** Names the job, in 1 to 64 characters. */
      job: string
      /** The owner of the lease: `Secrets.generate`. */
      token: string
      at: Instant
      endsAt: Instant
    }>,
  ): PortResult<boolean>
}

/**
 * The stores that take part in a unit of work. Every request that adds data to an account has the same steps: lock the
 * account, read the data to compare the request with, decide, and add all new data at once.
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
   * Runs the work in a transaction, with stores that belong to it. Right: the transaction is committed, and others see it at
   * once. Left: it is rolled back. After a deadlock the work may run again from its beginning, so it must use and change nothing
   * but these stores. `organisation`: the owner of the work; no owner takes all connections.
   */
  run<Refused, A>(
    organisation: string,
    work: (stores: TransactionalStores) => Promise<Either<Refused, A>>,
  ): Promise<Either<Refused | PortFailure, A>>
}
