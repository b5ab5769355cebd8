import type { FieldError } from '../codec/field-error.js'
import type { Account } from '../domain/account.js'
import type { AccountKey } from '../domain/account-key.js'
import type { ImportSupplier, SupplierSettings, SupplierStatus } from '../domain/import-supplier.js'
import type { Scope } from '../domain/scope.js'
import type { TaskEither } from '../fp.js'
import type { AccountImportList, AccountImportListItem } from '../ports/account-imports.js'
import type { AccessTokenClaims } from '../ports/access-tokens.js'
import type { ApiKeyRecord } from '../ports/api-keys.js'
import type { Organisation } from '../ports/organisations.js'
import type { PortFailure } from '../ports/port-failure.js'
import type { Instant } from '../values/instant.js'
import type * as errors from './errors.js'

type Result<Refused, A> = TaskEither<Refused | PortFailure, A>
type Warnings = Readonly<{ warnings: readonly FieldError[] }>

/** Who asks: the organisation of the token, and the payload as it came, not yet checked. */
export type Submission = Readonly<{ organisation: string; payload: unknown }>

export type StagingRefused =
  | errors.AccountFailedValidation
  | errors.AccountAlreadyImported
  | errors.AccountImportInProgress
  | errors.AccountMarkedToSkip
  | errors.SupplierNotOngoing

export type ProcessingRefused =
  | errors.AccountFailedValidation
  | errors.RequestFailedValidation
  | errors.AccountAlreadyImported
  | errors.AccountProcessedElsewhere
  | errors.AccountMarkedToSkip
  | errors.SupplierNotOngoing
  | errors.NothingStaged
  | errors.OperationsTeamDoesNotExist
  | errors.DryRunSucceeded
  | errors.ConcurrencyLimitReached
  | errors.ClaimLost

export type TransferStatus = Readonly<{
  status: 'UNKNOWN' | 'IN_PROGRESS' | 'COMPLETED'
  platformAccountNumber: string | undefined
  attempts: number
  latestError: Readonly<{ code: string; detail: string; occurredAt: Instant }> | undefined
}>

export type ListRequest = Readonly<{
  organisation: string
  importSupplier: string
  list: AccountImportList
}>

export type Tokens = Readonly<{
  token: string
  expiresAt: Instant
  refreshToken: string
  refreshExpiresAt: Instant
}>

export type Credentials = Readonly<{ apiKey: string } | { refreshToken: string }>

/** Everything the service does. The same for HTTP, embedded and in-memory use. */
export type UseCases = Readonly<{
  /** Checks an account payload; stores nothing. Right: the account as accepted, to be echoed. */
  validateAccount(
    submission: Submission,
  ): Result<errors.AccountFailedValidation, Readonly<{ account: EchoedAccount }> & Warnings>
  /** Validates and stores an account payload: specification, account import steps, rules 1 and 2. */
  stageAccount(
    submission: Submission,
  ): Result<
    StagingRefused,
    Readonly<{ outcome: 'created' | 'replaced'; importSupplier: string; externalAccountNumber: string }> &
      Warnings
  >
  /** Creates the account from its staged data: specification, account import steps, rules 3 to 6. */
  processAccount(
    submission: Submission,
  ): Result<ProcessingRefused, Readonly<{ platformAccountNumber: string }> & Warnings>
  transferStatus(
    key: AccountKey,
  ): Result<errors.SupplierNotFound | errors.AccountImportNotFound, TransferStatus>
  /** One page: items after a number, at most `limit` (1 to 1000). `next` is absent on the last page. */
  accountImportsPage(
    request: ListRequest & Readonly<{ after: string | undefined; limit: number }>,
  ): Result<
    errors.SupplierNotFound,
    Readonly<{ items: readonly AccountImportListItem[]; next: string | undefined }>
  >
  /** The whole list in constant memory; a failing store after the first page makes the iteration throw. */
  allAccountImports(
    request: ListRequest,
  ): Result<errors.SupplierNotFound, AsyncIterable<readonly AccountImportListItem[]>>
  /** `address` is the client's network address; failed attempts are counted by it and by key id. */
  obtainToken(
    request: Readonly<{ credentials: Credentials; address: string }>,
  ): Result<errors.AuthenticationFailed | errors.TooManyAttempts, Tokens>
  authenticate(token: string): Result<errors.AuthenticationFailed | errors.TokenExpired, AccessTokenClaims>
  operator: OperatorUseCases
}>

/** The echo of an account: as accepted, but transaction amounts as decimal text with two places. */
export type EchoedAccount = Readonly<Record<string, unknown>>

/** What the operator does, through the command line. Input is raw and checked here. */
export type OperatorUseCases = Readonly<{
  createOrganisation(
    input: Readonly<{ code: string; name?: string }>,
  ): Result<errors.OperatorRefusal, Organisation>
  listOrganisations(): Result<never, readonly Organisation[]>
  createSupplier(
    input: Readonly<{ code: string; organisation: string; status?: SupplierStatus; documentRoot?: string }>,
  ): Result<errors.OperatorRefusal, ImportSupplier>
  setSupplierStatus(
    input: Readonly<{ code: string; status: SupplierStatus }>,
  ): Result<errors.OperatorRefusal, ImportSupplier>
  configureSupplier(
    input: Readonly<{ code: string; change: (settings: SupplierSettings) => SupplierSettings }>,
  ): Result<errors.OperatorRefusal, ImportSupplier>
  showSupplier(code: string): Result<errors.OperatorRefusal, ImportSupplier>
  listSuppliers(): Result<never, readonly ImportSupplier[]>
  createTeam(name: string): Result<errors.OperatorRefusal, Readonly<{ name: string }>>
  listTeams(): Result<never, readonly string[]>
  /** `apiKey` is shown this once. */
  createApiKey(
    input: Readonly<{ organisation: string; scopes?: readonly Scope[]; expiresAt?: Instant }>,
  ): Result<errors.OperatorRefusal, Readonly<{ apiKey: string; record: ApiKeyRecord }>>
  listApiKeys(): Result<never, readonly ApiKeyRecord[]>
  revokeApiKey(id: string): Result<errors.OperatorRefusal, Readonly<{ id: string }>>
  setSkipped(
    input: Readonly<{ importSupplier: string; externalAccountNumber: string; skipped: boolean }>,
  ): Result<errors.OperatorRefusal, Readonly<{ changed: boolean }>>
  showAccount(
    input: Readonly<{ importSupplier: string; externalAccountNumber: string }>,
  ): Result<errors.OperatorRefusal, Account>
}>
