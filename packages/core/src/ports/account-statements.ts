import type { AccountStatement } from '../domain/account-details.js'
import type { LockedAccount } from './accounts.js'
import type { PortResult } from './port-failure.js'

/** The statements of one account, while it is locked. */
export interface AccountStatements {
  /** Which of the ids the account has statements of, compared exactly. */
  existingIds(account: LockedAccount, ids: readonly string[]): PortResult<ReadonlySet<string>>
  /** Adds the statements after those that the account has, in this order. An id that is there already is a failure. */
  add(account: LockedAccount, statements: readonly AccountStatement[]): PortResult<void>
}
