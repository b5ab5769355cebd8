import type { FieldError } from '../codec/field-error.js'
import type { AccountKey } from '../domain/account-key.js'

/**
 * Every way in which a use case refuses. Tags state a fact; the HTTP contract gives each a status and a body.
 * Failures of ports (`PortFailure`) stand beside these in the signatures.
 */
export type AccountFailedValidation = Readonly<{
  _tag: 'AccountFailedValidation'
  errors: readonly FieldError[]
  warnings: readonly FieldError[]
}>
export type RequestFailedValidation = Readonly<{
  _tag: 'RequestFailedValidation'
  errors: readonly FieldError[]
  warnings: readonly FieldError[]
}>
export type AccountAlreadyImported = Readonly<{
  _tag: 'AccountAlreadyImported'
  externalAccountNumber: string
  platformAccountNumber: string
}>
/** Staging found a live claim. */
export type AccountImportInProgress = Readonly<{ _tag: 'AccountImportInProgress' }>
/** Processing found another live claim. */
export type AccountProcessedElsewhere = Readonly<{
  _tag: 'AccountProcessedElsewhere'
  retryAfterSeconds: number
}>
export type AccountMarkedToSkip = Readonly<{ _tag: 'AccountMarkedToSkip' }>
export type SupplierNotOngoing = Readonly<{ _tag: 'SupplierNotOngoing' }>
/** Processing found no staged data. */
export type NothingStaged = Readonly<{ _tag: 'NothingStaged' }>
export type OperationsTeamDoesNotExist = Readonly<{ _tag: 'OperationsTeamDoesNotExist' }>
export type DryRunSucceeded = Readonly<{ _tag: 'DryRunSucceeded' }>
export type ConcurrencyLimitReached = Readonly<{ _tag: 'ConcurrencyLimitReached'; retryAfterSeconds: number }>
/** The claim was taken over while the account was being created; nothing was created by this call. */
export type ClaimLost = Readonly<{ _tag: 'ClaimLost'; key: AccountKey; retryAfterSeconds: number }>
/** A query names a supplier that the organisation does not have. */
export type SupplierNotFound = Readonly<{ _tag: 'SupplierNotFound' }>
/** A query names a pair that nothing is known of. */
export type AccountImportNotFound = Readonly<{ _tag: 'AccountImportNotFound' }>
export type AuthenticationFailed = Readonly<{ _tag: 'AuthenticationFailed' }>
export type TokenExpired = Readonly<{ _tag: 'TokenExpired' }>
export type TooManyAttempts = Readonly<{ _tag: 'TooManyAttempts'; retryAfterSeconds: number }>

/** What an operator's command can be refused for; `subject` names the kind of thing, `name` which one. */
export type OperatorRefusal =
  | Readonly<{ _tag: 'AlreadyExists'; subject: string; name: string }>
  | Readonly<{ _tag: 'DoesNotExist'; subject: string; name: string }>
  | Readonly<{ _tag: 'InputNotValid'; errors: readonly FieldError[] }>
  | Readonly<{ _tag: 'AccountIsImported' }>
  | AccountImportInProgress
