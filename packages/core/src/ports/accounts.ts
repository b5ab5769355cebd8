import type { Account } from '../domain/account.js'
import type { AccountKey } from '../domain/account-key.js'
import type { PortResult } from './port-failure.js'

/** The accounts that exist on the platform, with all that belongs to them. */
export interface Accounts {
  /**
   * Creates the accounts whole. To be called inside a unit of work that completes their imports. Key and
   * platform account number are unique: a second account with either is a failure, and nothing is created.
   */
  create(accounts: readonly Account[]): PortResult<void>
  /** The account as stored; equal to what was created, nothing lost. */
  find(key: AccountKey): PortResult<Account | undefined>
}
