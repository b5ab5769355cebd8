import type { Instant } from '../values/instant.js'
import type { AccountKey } from './account-key.js'

/** The last attempt to process an import that failed. */
export type FailedAttempt = Readonly<{ code: string; occurredAt: Instant }>

/** What an import knows of the account that was created from it. */
export type CreatedAccount = Readonly<{
  platformAccountNumber: string
  createdAt: Instant
  /** The version of the staged data that the account was created from. */
  stagedVersion: number
}>

/** The right to create the account of one import, until it expires. */
export type Claim = Readonly<{ token: string; expiresAt: Instant }>

/**
 * The process of one pair of supplier code and external account number (docs/reference/api.md#states).
 *
 * `stagedVersion` counts the stagings, 0 when the import is known only because the operator marked it to be
 * skipped.
 */
export type AccountImport = Readonly<{
  key: AccountKey
  stagedVersion: number
  skipped: boolean
  claim: Claim | undefined
  attempts: number
  latestFailure: FailedAttempt | undefined
  created: CreatedAccount | undefined
}>

/** A claim that has not expired: the account is being created now. */
export const isInProgress = (accountImport: AccountImport, now: Instant): boolean =>
  accountImport.created === undefined &&
  accountImport.claim !== undefined &&
  accountImport.claim.expiresAt > now

/** Why an account can be neither staged nor claimed now. The first that applies, in this order. */
export type ImportRefusal =
  | Readonly<{ _tag: 'already_imported'; platformAccountNumber: string }>
  | Readonly<{ _tag: 'in_progress' }>
  | Readonly<{ _tag: 'marked_to_skip' }>

export const refusalOf = (accountImport: AccountImport, now: Instant): ImportRefusal | undefined => {
  if (accountImport.created !== undefined)
    return { _tag: 'already_imported', platformAccountNumber: accountImport.created.platformAccountNumber }
  if (isInProgress(accountImport, now)) return { _tag: 'in_progress' }
  return accountImport.skipped ? { _tag: 'marked_to_skip' } : undefined
}
