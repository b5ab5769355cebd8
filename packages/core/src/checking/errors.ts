import type { ErrorCode } from '../catalogue/index.js'
import type { FieldError } from '../codec/findings.js'
import type { AccountKey } from '../domain/account-import.js'
import type { TransactionData } from '../domain/adding-transactions.js'
import type { Either } from '../fp.js'
import type { PortFailure } from '../ports/port-failure.js'

/** The result of every use case: its value, one of its own refusals, or the failure of a port. */
export type UseCaseResult<Refused, A> = Promise<Either<Refused | PortFailure, A>>

/**
 * Every way in which a use case refuses. Tags state a fact; the HTTP contract maps each to a status and a body.
 * Signatures add failures of ports (`PortFailure`).
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
/**
 * `sameData`: whether the account was created from the data that was sent, or, in processing, that is staged; undefined if no
 * data is stored to compare with.
 */
export type AccountAlreadyImported = Readonly<{
  _tag: 'AccountAlreadyImported'
  externalAccountNumber: string
  platformAccountNumber: string
  sameData: boolean | undefined
}>
/** Staging found a live claim. */
export type AccountImportInProgress = Readonly<{ _tag: 'AccountImportInProgress' }>
export type AccountMarkedToSkip = Readonly<{ _tag: 'AccountMarkedToSkip' }>
export type SupplierNotOngoing = Readonly<{ _tag: 'SupplierNotOngoing' }>
export type OperationsTeamDoesNotExist = Readonly<{ _tag: 'OperationsTeamDoesNotExist' }>
/** A request adds data to an account that was not created, or of a supplier that the organisation does not have. */
export type AccountNotFound = Readonly<{ _tag: 'AccountNotFound' }>
/** The platform that embeds the service does not allow the change. Nothing was changed. */
export type RefusedByPlatform = Readonly<{ _tag: 'RefusedByPlatform' }>
export type NotVerified<Tag extends string> = Readonly<{
  _tag: Tag
  externalAccountNumber: string
  importSupplier: string
  reference: string
}>
/** The payment vendor's verdict on an instruction, or its absence. */
export type PaymentNotVerified =
  | NotVerified<'PaymentInstructionNotFound'>
  | NotVerified<'PaymentInstructionNotUsable'>
  | NotVerified<'PaymentVendorRefused'>
  | (NotVerified<'PaymentVendorUnavailable'> & Readonly<{ retryAfterSeconds: number }>)
  | NotVerified<'PaymentVendorUnreachable'>
/**
 * A transaction lies outside the open statement period and may not be moved. The transactions before it in the request were
 * added, it and later ones were not.
 */
export type TransactionOutsideOpenPeriod = Readonly<{
  _tag: 'TransactionOutsideOpenPeriod'
  transactionData: TransactionData
  warnings: readonly FieldError[]
}>
/** A request names a run that the organisation does not have, or one of another supplier. */
export type ImportRunDoesNotExist = Readonly<{ _tag: 'ImportRunDoesNotExist' }>
/** The organisation has no such run, the run is of another supplier, or it is finished. */
export type RunRefused = ImportRunDoesNotExist | Readonly<{ _tag: 'ImportRunFinished' }>
/** A query names a supplier that the organisation does not have. */
export type SupplierNotFound = Readonly<{ _tag: 'SupplierNotFound' }>
/** A query names a supplier and an account number without an account import. */
export type AccountImportNotFound = Readonly<{ _tag: 'AccountImportNotFound' }>
/** The key was used before with a request of other content. */
export type IdempotencyKeyReused = Readonly<{ _tag: 'IdempotencyKeyReused' }>
/** The first request with this key has no answer yet. */
export type IdempotencyKeyInProgress = Readonly<{
  _tag: 'IdempotencyKeyInProgress'
  retryAfterSeconds: number
}>
export type AuthenticationFailed = Readonly<{ _tag: 'AuthenticationFailed' }>
/**
 * The refresh token is not the latest of its family, which was ended for this reason. The response says only that authentication
 * failed.
 */
export type RefreshTokenReused = Readonly<{ _tag: 'RefreshTokenReused'; apiKeyId: string }>
export type TokenExpired = Readonly<{ _tag: 'TokenExpired' }>
export type TooManyAttempts = Readonly<{ _tag: 'TooManyAttempts'; retryAfterSeconds: number }>

/** Why an operator's command is refused; `subject`: the kind of thing; `name`: its code, name or id. */
export type OperatorRefusal =
  | Readonly<{ _tag: 'AlreadyExists'; subject: string; name: string }>
  | Readonly<{ _tag: 'DoesNotExist'; subject: string; name: string }>
  | Readonly<{ _tag: 'InputNotValid'; errors: readonly FieldError[] }>
  /** The root equals, contains or lies in the root of another organisation's supplier. */
  | Readonly<{
      _tag: 'DocumentRootTaken'
      documentRoot: string
      importSupplier: string
      otherRoot: string
    }>
  /** Revoked or expired. */
  | Readonly<{ _tag: 'ApiKeyHasEnded'; id: string }>
  | Readonly<{ _tag: 'AccountIsImported' }>
  | Readonly<{ _tag: 'EmailIsSent' }>
  | Readonly<{ _tag: 'EmailIsBeingSent' }>
  | RefusedByPlatform
  | AccountImportInProgress

/** Every way in which creating an account from its staged data is refused. */
export type ProcessingRefused =
  | AccountFailedValidation
  | RequestFailedValidation
  | AccountAlreadyImported
  /** Processing found another live claim. */
  | Readonly<{
      _tag: 'AccountProcessedElsewhere'
      retryAfterSeconds: number
    }>
  | AccountMarkedToSkip
  | SupplierNotOngoing
  /** Processing found no staged data. */
  | Readonly<{ _tag: 'NothingStaged' }>
  | OperationsTeamDoesNotExist
  | Readonly<{ _tag: 'DryRunSucceeded' }>
  | Readonly<{ _tag: 'ConcurrencyLimitReached'; retryAfterSeconds: number }>
  /** Another request took the claim over while the account was being created; this call created nothing. */
  | Readonly<{ _tag: 'ClaimLost'; key: AccountKey; retryAfterSeconds: number }>

/** The code of each refusal of an account, or of the line that contains it: in responses, and in the failures of import runs. */
export const refusalCodes = {
  AccountFailedValidation: 'account_failed_validation',
  RequestFailedValidation: 'request_failed_validation',
  AccountAlreadyImported: 'account_already_imported',
  AccountImportInProgress: 'account_import_in_progress',
  AccountProcessedElsewhere: 'account_import_in_progress',
  AccountMarkedToSkip: 'account_marked_to_skip',
  SupplierNotOngoing: 'import_supplier_migration_not_ongoing',
  ImportRunDoesNotExist: 'import_run_does_not_exist',
  NothingStaged: 'import_process_does_not_exist',
  OperationsTeamDoesNotExist: 'operations_team_name_does_not_exist',
  DryRunSucceeded: 'dry_run_succeeded',
  ConcurrencyLimitReached: 'concurrency_limit_reached',
  ClaimLost: 'account_import_in_progress',
  NotUtf8: 'invalid_encoding',
  NotJson: 'parse_error',
  PayloadTooDeep: 'payload_too_deep',
  PayloadTooLarge: 'payload_too_large',
} as const satisfies Readonly<Record<string, ErrorCode>>
