import type { FieldError } from '../codec/field-error.js'
import type { NoteOutcome } from '../domain/account-notes.js'
import type { AccountKey } from '../domain/account-key.js'
import type { Actor } from '../domain/audit-entry.js'
import type {
  TransactionOptions,
  TransactionResult,
} from '../domain/adding-transactions/transactions-decision.js'
import type { ImportSummary } from '../domain/import-summary.js'
import type { HistoricalStatementsRequest } from '../payloads/historical-statements-request.js'
import type { AccountImportList, AccountImportListItem } from '../ports/account-imports.js'
import type { AccessTokenClaims } from '../ports/access-tokens.js'
import type { ClaimedRequest } from '../ports/kept-answers.js'
import type { AnsweredOnce, FirstAnswer, KeyedRequest } from './keyed-request.js'
import type { SentPayload } from './sent-payload.js'
import type { BulkLine, BulkResults, LineUnreadable } from './bulk-result.js'
import type { ClaimedEmail, EmailSettlement } from '../ports/outbox.js'
import type { Instant } from '../values/instant.js'
import type { EchoedAccount } from '../validation/echo-account.js'
import type { AuditUseCases } from './audit-signatures.js'
import type { Authenticated, ObtainTokenRequest, Tokens } from './login-signatures.js'
import type { OperatorUseCases } from './operator-signatures.js'
import type { UseCaseResult } from './use-case-result.js'
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
  IdempotencyKeyInProgress,
  IdempotencyKeyReused,
  NothingStaged,
  OperationsTeamDoesNotExist,
  PaymentNotVerified,
  RequestFailedValidation,
  SupplierNotFound,
  SupplierNotOngoing,
  TokenExpired,
  RefreshTokenReused,
  TooManyAttempts,
  TransactionOutsideOpenPeriod,
} from './errors.js'

export type { Authenticated, Credentials, ObtainTokenRequest, Tokens } from './login-signatures.js'

/** Warnings do not stand in the way of a request. */
export type WithWarnings = Readonly<{ warnings: readonly FieldError[] }>

/** Who asks: the organisation of the token, and what. `by`: who it is, for the record; `unnamedActor` when absent. */
export type Submission = SentPayload & Readonly<{ organisation: string; by?: Actor | undefined }>

/** Who asks: the organisation of the token, and a stream of lines, each a payload as it came. */
export type BulkSubmission = Readonly<{
  organisation: string
  lines: AsyncIterable<BulkLine>
  by?: Actor | undefined
}>

/** Once `signal` is aborted no account is begun any more, and the results end with its reason as the thrown value. */
export type BulkProcessing = Submission & Readonly<{ signal?: AbortSignal }>

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

export type Staged = Readonly<{
  outcome: 'created' | 'replaced'
  importSupplier: string
  externalAccountNumber: string
}> &
  WithWarnings

export type Processed = Readonly<{ platformAccountNumber: string }> & WithWarnings

/** Everything the service does. The same for HTTP, embedded and in-memory use. */
export type UseCases = Readonly<{
  /** Checks an account payload; stores nothing. Right: the account as accepted, to be echoed. */
  validateAccount(
    submission: Submission,
  ): UseCaseResult<AccountFailedValidation, Readonly<{ account: EchoedAccount }> & WithWarnings>
  /** Validates and stores an account payload; data that was staged before is replaced. */
  stageAccount(submission: Submission): UseCaseResult<StagingRefused, Staged>
  /** Creates the account from its staged data, or tries that in a dry run. */
  processAccount(submission: Submission): UseCaseResult<ProcessingRefused, Processed>
  /**
   * Each line as `validateAccount` would treat it: a result for each, in their order, all that are ready together. Lines
   * are asked for while results are, a bounded number at one time. Results end with a `PortFailure` as the thrown value
   * when a port has been out of reach for 256 lines on end, and with whatever the lines throw.
   */
  bulkValidate(
    submission: BulkSubmission,
  ): UseCaseResult<never, BulkResults<AccountFailedValidation | LineUnreadable, WithWarnings>>
  /** Each line as `stageAccount` would treat it, in the same way. */
  bulkStage(
    submission: BulkSubmission,
  ): UseCaseResult<never, BulkResults<StagingRefused | LineUnreadable, Staged>>
  /**
   * Each named account as `processAccount` would treat it, once; or every account of the supplier that is staged now, the
   * one that was staged first at first, except those that somebody else creates meanwhile. Where the service has a limit
   * of accounts in processing, it waits for its turn.
   */
  bulkProcess(
    submission: BulkProcessing,
  ): UseCaseResult<BulkProcessRefused, BulkResults<ProcessingRefused, Processed>>
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
   * - `claimed`: the request has an idempotency key (`answerOnce`), and nothing is added twice for it, also without the check
   */
  addTransactions(
    submission: Submission & Partial<TransactionOptions> & Readonly<{ claimed?: ClaimedRequest | undefined }>,
  ): UseCaseResult<
    AdditionRefused | TransactionOutsideOpenPeriod | IdempotencyKeyInProgress,
    Readonly<{ results: readonly TransactionResult[] }> & WithWarnings
  >
  transferStatus(key: AccountKey): UseCaseResult<SupplierNotFound | AccountImportNotFound, TransferStatus>
  /** How many imports are in which state, and how many failed with which code. */
  accountImportSummary(
    request: Readonly<{ organisation: string; importSupplier: string }>,
  ): UseCaseResult<SupplierNotFound, ImportSummary>
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
  /**
   * Answers a request by `first`, and gives that answer again, for 24 hours, when the same request comes with its key. An
   * answer that is not final, or longer than 8 Mi characters, is not kept, and neither is what `first` throws, which is thrown.
   * Where the service died before it could keep the answer, `first` runs again once the claim of
   * `ServiceSettings.processingClaimSeconds` has ended: it has to bear that, or to hand `claimed` to `addTransactions`, which does.
   */
  answerOnce(
    request: KeyedRequest,
    first: (claimed: ClaimedRequest) => Promise<FirstAnswer>,
  ): UseCaseResult<IdempotencyKeyReused | IdempotencyKeyInProgress, AnsweredOnce>
  /** Removes up to `limit` (1 to 1000) kept answers that have expired, and gives how many; to be called every minute. */
  forgetAnswers(limit: number): UseCaseResult<never, number>
  /**
   * Removes staged data of up to `limit` (1 to 1000) created accounts that has been kept for as long as their suppliers' settings
   * say, and gives of how many; to be called every minute, by every server: 0 where another one is at it.
   */
  removeDuePayloads(limit: number): UseCaseResult<never, number>
  /** `address` is the client's network address; failed attempts are counted by it (IPv6: its /64), and by it with the key's id. */
  obtainToken(
    request: ObtainTokenRequest,
  ): UseCaseResult<AuthenticationFailed | RefreshTokenReused | TooManyAttempts, Tokens>
  /** A key that is revoked, a disabled organisation and an ended family of refresh tokens are seen within 30 seconds. */
  authenticate(token: string): UseCaseResult<AuthenticationFailed | TokenExpired, Authenticated>
  /**
   * Whether a request may go on that began with these claims: to be asked again and again while a long one is worked on. That
   * its token expires meanwhile is no reason to refuse.
   */
  reauthenticate(claims: AccessTokenClaims): UseCaseResult<AuthenticationFailed, void>
  /** Writes down which API keys were used since the last time, and gives how many; to be called every minute. */
  noteKeyUses(): UseCaseResult<never, number>
  emails: EmailUseCases
  audit: AuditUseCases
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
