import type { Account } from '../domain/account.js'
import type { AccountKey } from '../domain/account-key.js'
import type { PortResult } from './port-failure.js'

/** Accounts of one supplier after a number, in order of external account number by Unicode code point. */
export type AccountsPageRequest = Readonly<{
  organisation: string
  importSupplier: string
  /** Only account numbers after this one. */
  after: string | undefined
  /** 1 to 1001. */
  limit: number
}>

/** An account with how often something was added to it since it was created. */
export type StoredAccount = Readonly<{ account: Account; additions: number }>

/** The accounts that exist on the platform, with all that belongs to them. */
export interface Accounts {
  /**
   * Creates the accounts whole. To be called inside a unit of work that completes their imports. Key and
   * platform account number are unique: a second account with either is a failure, and nothing is created.
   */
  create(accounts: readonly Account[]): PortResult<void>
  /**
   * The account as stored, with what was added to it; equal to what was created and added, nothing lost. An erased account
   * has its remaining details (`erasedDetails`).
   */
  find(key: AccountKey): PortResult<Account | undefined>
  /** One page of a supplier's accounts. Cost does not depend on where the page lies. */
  page(request: AccountsPageRequest): PortResult<readonly StoredAccount[]>
}

/** Proof that the account is locked: nobody else adds to it until the unit of work ends. Only `lock` makes one. */
export type LockedAccount = Readonly<{
  key: AccountKey
  platformAccountNumber: string
}> & { readonly LockedAccount: unique symbol }

/** Accounts that can be locked inside a unit of work; its end is the end of the lock. */
export interface LockableAccounts extends Accounts {
  /**
   * Waits until no other unit of work holds the account, and keeps it until this one ends: what is read of the account
   * after that, by the stores of its parts, stays true until then. Undefined when there is no account for the key, or it was erased.
   */
  lock(key: AccountKey): PortResult<LockedAccount | undefined>
}
