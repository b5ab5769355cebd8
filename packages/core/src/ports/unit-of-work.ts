import type { TaskEither } from '../fp.js'
import type { AccountImports } from './account-imports.js'
import type { Accounts } from './accounts.js'
import type { PortFailure } from './port-failure.js'

/** The stores that take part in a unit of work, bound to it. */
export type TransactionalStores = Readonly<{
  accountImports: Omit<AccountImports, 'page'>
  accounts: Accounts
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
