import type {
  AccountAlreadyImported,
  AccountFailedValidation,
  AccountImportInProgress,
  AccountMarkedToSkip,
  AccountNotFound,
  AccountProcessedElsewhere,
  ClaimLost,
  ConcurrencyLimitReached,
  DryRunSucceeded,
  NothingStaged,
  OperationsTeamDoesNotExist,
  PaymentNotVerified,
  RequestFailedValidation,
  SupplierNotOngoing,
} from './errors.js'

export type StagingRefused =
  | AccountFailedValidation
  | AccountAlreadyImported
  | AccountImportInProgress
  | AccountMarkedToSkip
  | SupplierNotOngoing

export type ProcessingRefused =
  | AccountFailedValidation
  | RequestFailedValidation
  | AccountAlreadyImported
  | AccountProcessedElsewhere
  | AccountMarkedToSkip
  | SupplierNotOngoing
  | NothingStaged
  | OperationsTeamDoesNotExist
  | DryRunSucceeded
  | ConcurrencyLimitReached
  | ClaimLost

/** A reason that would refuse every account of a bulk request refuses the whole request. */
export type BulkProcessRefused = RequestFailedValidation | SupplierNotOngoing | OperationsTeamDoesNotExist

/** How every request that adds data to a created account is refused. */
export type AdditionRefused = RequestFailedValidation | SupplierNotOngoing | AccountNotFound

export type PaymentInstructionRefused = AdditionRefused | PaymentNotVerified
