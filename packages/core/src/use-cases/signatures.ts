import type { FieldError } from '../codec/field-error.js'
import type { Account } from '../domain/account.js'
import type { NoteOutcome } from '../domain/account-notes.js'
import type { AccountKey } from '../domain/account-key.js'
import type {
  TransactionOptions,
  TransactionResult,
} from '../domain/adding-transactions/transactions-decision.js'
import type { ImportSupplier, SupplierStatus } from '../domain/import-supplier.js'
import type { SupplierSettings } from '../settings/supplier-settings.js'
import type { Scope } from '../domain/scope.js'
import type { Either, TaskEither } from '../fp.js'
import type { CustomerEmail } from '../domain/customer-email.js'
import type { HistoricalStatementsRequest } from '../payloads/historical-statements-request.js'
import type { AccountImportList, AccountImportListItem } from '../ports/account-imports.js'
import type { AccessTokenClaims } from '../ports/access-tokens.js'
import type { ApiKeyRecord } from '../ports/api-keys.js'
import type { ClaimedEmail, EmailList, EmailSettlement } from '../ports/outbox.js'
import type { Organisation } from '../ports/organisations.js'
import type { PortFailure } from '../ports/port-failure.js'
import type { Instant } from '../values/instant.js'
import type { EchoedAccount } from '../validation/echo-account.js'
import type {
  AccountAlreadyImported,
  AccountFailedValidation,
  AccountImportInProgress,
  AccountImportNotFound,
  AccountMarkedToSkip,
  AccountNotFound,
  AccountProcessedElsewhere,
  AuthenticationFailed,
  ClaimLost,
  ConcurrencyLimitReached,
  DryRunSucceeded,
  NothingStaged,
  OperationsTeamDoesNotExist,
  OperatorRefusal,
  PaymentNotVerified,
  RequestFailedValidation,
  SupplierNotFound,
  SupplierNotOngoing,
  TokenExpired,
  TooManyAttempts,
  TransactionOutsideOpenPeriod,
} from './errors.js'

/** What every use case gives: its value, one of its own refusals, or the failure of a port. */
export type UseCaseResult<Refused, A> = TaskEither<Refused | PortFailure, A>
/** Warnings do not stand in the way of a request. */
export type WithWarnings = Readonly<{ warnings: readonly FieldError[] }>

/** Who asks: the organisation of the token, and the payload as it came, not yet checked. */
export type Submission = Readonly<{ organisation: string; payload: unknown }>

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

/** How every request that adds data to a created account is refused. */
export type AdditionRefused = RequestFailedValidation | SupplierNotOngoing | AccountNotFound

export type PaymentInstructionRefused = AdditionRefused | PaymentNotVerified

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
  ): UseCaseResult<AccountFailedValidation, Readonly<{ account: EchoedAccount }> & WithWarnings>
  /** Validates and stores an account payload; data that was staged before is replaced. */
  stageAccount(
    submission: Submission,
  ): UseCaseResult<
    StagingRefused,
    Readonly<{ outcome: 'created' | 'replaced'; importSupplier: string; externalAccountNumber: string }> &
      WithWarnings
  >
  /** Creates the account from its staged data, or tries that in a dry run. */
  processAccount(
    submission: Submission,
  ): UseCaseResult<ProcessingRefused, Readonly<{ platformAccountNumber: string }> & WithWarnings>
  /** Adds those notes to a created account that it does not have yet: one outcome for each, in their order. */
  addNotes(
    submission: Submission,
  ): UseCaseResult<AdditionRefused, Readonly<{ notes: readonly NoteOutcome[] }> & WithWarnings>
  /** Adds statements from before the migration to a created account, all or none. Right: the request as accepted. */
  addHistoricalStatements(
    submission: Submission,
  ): UseCaseResult<AdditionRefused, Readonly<{ request: HistoricalStatementsRequest }> & WithWarnings>
  /** Adds an instruction to a created account if its payment vendor verifies it; one that is there stays as it is. */
  addPaymentInstruction(
    submission: Submission,
  ): UseCaseResult<
    PaymentInstructionRefused,
    Readonly<{ platformAccountNumber: string; reference: string }> & WithWarnings
  >
  /**
   * Adds transactions to a created account, in their order, up to the first that fails: one result for each.
   *
   * - `checkPreviouslyAdded`, true when absent: one whose id was added before is passed over
   * - `forceAddToCurrentStatement`, true when absent: a date outside the open statement period is moved into it
   */
  addTransactions(
    submission: Submission & Partial<TransactionOptions>,
  ): UseCaseResult<
    AdditionRefused | TransactionOutsideOpenPeriod,
    Readonly<{ results: readonly TransactionResult[] }> & WithWarnings
  >
  transferStatus(key: AccountKey): UseCaseResult<SupplierNotFound | AccountImportNotFound, TransferStatus>
  /** One page: items after a number, at most `limit` (1 to 1000). `next` is absent on the last page. */
  accountImportsPage(
    request: ListRequest & Readonly<{ after: string | undefined; limit: number }>,
  ): UseCaseResult<
    SupplierNotFound,
    Readonly<{ items: readonly AccountImportListItem[]; next: string | undefined }>
  >
  /** The whole list in constant memory; a failing store after the first page makes the iteration throw. */
  allAccountImports(
    request: ListRequest,
  ): UseCaseResult<SupplierNotFound, AsyncIterable<readonly AccountImportListItem[]>>
  /** `address` is the client's network address; failed attempts are counted by it and by key id. */
  obtainToken(
    request: Readonly<{ credentials: Credentials; address: string }>,
  ): UseCaseResult<AuthenticationFailed | TooManyAttempts, Tokens>
  authenticate(token: string): UseCaseResult<AuthenticationFailed | TokenExpired, AccessTokenClaims>
  emails: EmailUseCases
  operator: OperatorUseCases
}>

/** What became of an e-mail that was claimed. `code`: what went wrong, if anything did. */
export type EmailOutcome = Readonly<{
  id: string
  outcome: EmailSettlement['_tag'] | 'lease_lost'
  code: string | undefined
}>

/** What a relay does again and again: deliver the e-mails in the outbox. Several relays may run at once. */
export type EmailUseCases = Readonly<{
  /** False where no channel to customers is set up. */
  canSend: boolean
  /** Takes up to `limit` (1 to 100) e-mails that are due. Each is to be delivered or released soon. */
  claimDue(limit: number): UseCaseResult<never, readonly ClaimedEmail[]>
  /** Ends at once when the signal is aborted; then the e-mail is given back. */
  deliver(claimed: ClaimedEmail, signal: AbortSignal): UseCaseResult<never, EmailOutcome>
  release(claimed: ClaimedEmail): UseCaseResult<never, EmailOutcome>
}>

/** A document that an account's data names, and that is not in the storage. */
export type MissingDocument = Readonly<{
  externalAccountNumber: string
  /** Undefined until the account is created. */
  platformAccountNumber: string | undefined
  /** As sent, relative to the supplier's document root. */
  path: string
}>

/** What was found out about the next accounts: how many there are, how many documents they name, which are missing. */
export type DocumentsChecked = Readonly<{
  accounts: number
  /** A document that two accounts name counts twice. */
  references: number
  missing: readonly MissingDocument[]
}>

/** What the operator does, through the command line. Input is raw and checked here. */
export type OperatorUseCases = Readonly<{
  createOrganisation(
    input: Readonly<{ code: string; name?: string }>,
  ): UseCaseResult<OperatorRefusal, Organisation>
  listOrganisations(): UseCaseResult<never, readonly Organisation[]>
  createSupplier(
    input: Readonly<{ code: string; organisation: string; status?: SupplierStatus; documentRoot?: string }>,
  ): UseCaseResult<OperatorRefusal, ImportSupplier>
  setSupplierStatus(
    input: Readonly<{ code: string; status: SupplierStatus }>,
  ): UseCaseResult<OperatorRefusal, ImportSupplier>
  configureSupplier(
    input: Readonly<{ code: string; change: (settings: SupplierSettings) => SupplierSettings }>,
  ): UseCaseResult<OperatorRefusal, ImportSupplier>
  showSupplier(code: string): UseCaseResult<OperatorRefusal, ImportSupplier>
  listSuppliers(): UseCaseResult<never, readonly ImportSupplier[]>
  createTeam(name: string): UseCaseResult<OperatorRefusal, Readonly<{ name: string }>>
  listTeams(): UseCaseResult<never, readonly string[]>
  /** `apiKey` is shown this once. */
  createApiKey(
    input: Readonly<{ organisation: string; scopes?: readonly Scope[]; expiresAt?: Instant }>,
  ): UseCaseResult<OperatorRefusal, Readonly<{ apiKey: string; record: ApiKeyRecord }>>
  listApiKeys(): UseCaseResult<never, readonly ApiKeyRecord[]>
  revokeApiKey(id: string): UseCaseResult<OperatorRefusal, Readonly<{ id: string }>>
  setSkipped(
    input: Readonly<{ importSupplier: string; externalAccountNumber: string; skipped: boolean }>,
  ): UseCaseResult<OperatorRefusal, Readonly<{ changed: boolean }>>
  showAccount(
    input: Readonly<{ importSupplier: string; externalAccountNumber: string }>,
  ): UseCaseResult<OperatorRefusal, Account>
  /**
   * Every document that is missing though the supplier's staged or created accounts name it, in order of external
   * account number, in constant memory; a port that fails after the first page makes the iteration throw its
   * `PortFailure`.
   */
  missingDocuments(code: string): UseCaseResult<OperatorRefusal, AsyncIterable<DocumentsChecked>>
  /** Page by page; a Left ends the iteration. Absent supplier: of all; absent list: in every state. */
  listEmails(
    input: Readonly<{ importSupplier: string | undefined; list: EmailList | undefined }>,
  ): UseCaseResult<OperatorRefusal, AsyncIterable<Either<PortFailure, readonly CustomerEmail[]>>>
  /** Makes an e-mail that is parked, or waits for another try, due at once. */
  retryEmail(id: string): UseCaseResult<OperatorRefusal, Readonly<{ retried: number }>>
  /** The same for all that are parked. */
  retryParkedEmails(
    input: Readonly<{ importSupplier: string | undefined }>,
  ): UseCaseResult<OperatorRefusal, Readonly<{ retried: number }>>
}>
