import type { UseCases } from '@account-import/core'
import type { endpoints } from '../endpoints/all.js'
import type { Refusal } from '../problems/problem-of.js'
import type { RefusalOf } from '../problems/use-case-refusal.js'

/** The use case behind each endpoint. */
type BehindEndpoint = {
  validateAccount: 'validateAccount'
  stageAccount: 'stageAccount'
  processAccount: 'processAccount'
  addNotes: 'addNotes'
  addHistoricalStatements: 'addHistoricalStatements'
  addPaymentInstruction: 'addPaymentInstruction'
  addTransactions: 'addTransactions'
  transferStatus: 'transferStatus'
  allAccountImports: 'allAccountImports' | 'accountImportsPage'
  pendingAccountImports: 'allAccountImports' | 'accountImportsPage'
  importedAccountImports: 'allAccountImports' | 'accountImportsPage'
}

/** Each tag that the use cases refuse with has to be named, and no other can be. */
type Tags<Name extends keyof UseCases> = Readonly<
  Record<Name extends unknown ? RefusalOf<UseCases[Name]>['_tag'] : never, true>
>

const lists: Tags<'allAccountImports' | 'accountImportsPage'> = { SupplierNotFound: true, PortFailure: true }

/** How every request that adds data to a created account is refused. */
const additions: Tags<'addNotes'> = {
  RequestFailedValidation: true,
  SupplierNotOngoing: true,
  AccountNotFound: true,
  PortFailure: true,
}

const refusedBy: { readonly [Name in keyof typeof endpoints]: Tags<BehindEndpoint[Name]> } = {
  validateAccount: { AccountFailedValidation: true, PortFailure: true },
  stageAccount: {
    AccountFailedValidation: true,
    AccountAlreadyImported: true,
    AccountImportInProgress: true,
    AccountMarkedToSkip: true,
    SupplierNotOngoing: true,
    PortFailure: true,
  },
  processAccount: {
    AccountFailedValidation: true,
    RequestFailedValidation: true,
    AccountAlreadyImported: true,
    AccountProcessedElsewhere: true,
    AccountMarkedToSkip: true,
    SupplierNotOngoing: true,
    NothingStaged: true,
    OperationsTeamDoesNotExist: true,
    DryRunSucceeded: true,
    ConcurrencyLimitReached: true,
    ClaimLost: true,
    PortFailure: true,
  },
  addNotes: additions,
  addHistoricalStatements: additions,
  addPaymentInstruction: {
    ...additions,
    PaymentInstructionNotFound: true,
    PaymentInstructionNotUsable: true,
    PaymentVendorRefused: true,
    PaymentVendorUnavailable: true,
    PaymentVendorUnreachable: true,
  },
  addTransactions: { ...additions, TransactionOutsideOpenPeriod: true },
  transferStatus: { SupplierNotFound: true, AccountImportNotFound: true, PortFailure: true },
  allAccountImports: lists,
  pendingAccountImports: lists,
  importedAccountImports: lists,
}

/** The refusals of the use case behind an endpoint. */
export const useCaseRefusals = (name: keyof typeof endpoints): readonly Refusal['_tag'][] =>
  Object.keys(refusedBy[name]) as Refusal['_tag'][]
