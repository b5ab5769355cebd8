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

/** What would refuse every account of a bulk request refuses the whole of it. */
export type BulkProcessRefused = RequestFailedValidation | SupplierNotOngoing | OperationsTeamDoesNotExist

/** How every request that adds data to a created account is refused. */
export type AdditionRefused = RequestFailedValidation | SupplierNotOngoing | AccountNotFound

export type PaymentInstructionRefused = AdditionRefused | PaymentNotVerified
