import type { FieldError } from '../codec/field-error.js'
import type { AccountKey } from '../domain/account-key.js'
import type { NoteOutcome } from '../domain/account-notes.js'
import type {
  TransactionOptions,
  TransactionResult,
} from '../domain/adding-transactions/transaction-facts.js'
import type { Actor } from '../domain/audit-entry.js'
import type { ImportSummary } from '../domain/import-summary.js'
import type { Either } from '../fp.js'
import type { HistoricalStatementsRequest } from '../payloads/historical-statements-request.js'
import type { AccessTokenClaims } from '../ports/access-tokens.js'
import type { AccountImportList, AccountImportListItem } from '../ports/account-imports.js'
import type { ClaimedRequest } from '../ports/idempotency-records.js'
import type { EchoedAccount } from '../validation/echo-account.js'
import type { Instant } from '../values/instant.js'
import type { AuditUseCases } from './audit-signatures.js'
import type { BulkResult, BulkResults, LineUnreadable } from './bulk-result.js'
import type { EmailUseCases } from './email-signatures.js'
import type {
  AccountFailedValidation,
  AccountImportNotFound,
  AuthenticationFailed,
  IdempotencyKeyInProgress,
  IdempotencyKeyReused,
  IdempotencyRecordsFull,
  RefreshTokenReused,
  SupplierNotFound,
  TokenExpired,
  TooManyAttempts,
  TransactionOutsideOpenPeriod,
} from './errors.js'
import type { AnsweredOnce, FirstAnswer, KeyedRequest } from './keyed-request.js'
import type { Authenticated, ObtainTokenRequest, Tokens } from './login-signatures.js'
import type { OperatorUseCases } from './operator-signatures.js'
import type {
  AdditionRefused,
  BulkProcessRefused,
  PaymentInstructionRefused,
  ProcessingRefused,
  StagingRefused,
} from './refused.js'
import type { SentPayload } from './sent-payload.js'
import type { UseCaseResult } from './use-case-result.js'

export type {
  StagingRefused,
  ProcessingRefused,
  BulkProcessRefused,
  AdditionRefused,
  PaymentInstructionRefused,
} from './refused.js'
export type { EmailOutcome, EmailUseCases } from './email-signatures.js'
export type { Authenticated, Credentials, ObtainTokenRequest, Tokens } from './login-signatures.js'

/** Warnings do not stand in the way of a request. */
export type WithWarnings = Readonly<{ warnings: readonly FieldError[] }>

/**
 * One request: `payload` is JSON as it came (`AccountToSend` is the type of an account), and the use case checks it. `text` may be
 * left out; it is the JSON text that `payload` was parsed from, and the two must agree. `organisation` is the code of one that
 * `operator.createOrganisation` made: over HTTP that of the token; a program that embeds the core names it, and answers for it.
 * `by` is who asks, for the audit log; `unnamedActor` when absent.
 */
export type Submission = SentPayload & Readonly<{ organisation: string; by?: Actor | undefined }>

/** Works on one line where it holds up nobody, such as in another thread. Neither rejects. */
export type LineElsewhere = Readonly<{
  bulkValidate(): Promise<BulkResult<AccountFailedValidation | LineUnreadable, WithWarnings>>
  bulkStage(): Promise<BulkResult<StagingRefused | LineUnreadable, Staged>>
}>

/**
 * One line of a stream. `line`: its number, from 1, in which blank lines count; `bytes`: how long it is. It is parsed already, or
 * it is parsed elsewhere because it is long: then it is worked on after all lines before it and before all lines after it, as
 * nobody knows its account. `done` is called once, when the line is needed no more.
 */
export type BulkLine = Readonly<{ line: number; bytes: number; done?: () => void }> &
  (Readonly<{ json: Either<LineUnreadable, SentPayload> }> | Readonly<{ elsewhere: LineElsewhere }>)

/** Who asks: the organisation of the token, and a stream of lines, each a payload as it came. */
export type BulkSubmission = Readonly<{
  organisation: string
  lines: AsyncIterable<BulkLine>
  by?: Actor | undefined
}>

/** Once `signal` is aborted no account is begun any more, and the results end with its reason as the thrown value. */
export type BulkProcessing = Submission & Readonly<{ signal?: AbortSignal }>

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
  /**
   * Checks an account payload; stores nothing. Right: the account as accepted, to be echoed. The organisation needs the supplier
   * that the payload names (`operator.createSupplier`), in whichever status; without it the answer is `AccountFailedValidation` with
   * `import_supplier_does_not_exist`, beside whatever else is wrong. Whatever else would make `stageAccount` refuse now is a warning.
   */
  validateAccount(
    submission: Submission,
  ): UseCaseResult<AccountFailedValidation, Readonly<{ account: EchoedAccount }> & WithWarnings>
  /**
   * Validates and stores an account payload; data that was staged before is replaced. Nothing is created yet: `processAccount` does.
   *
   * There must be: the organisation (`operator.createOrganisation`), and its supplier with the status `ongoing`
   * (`operator.createSupplier`; `operator.setSupplierStatus`). `processAccount` needs an operations team besides
   * (`operator.createTeam`).
   *
   * Refused, and nothing is stored: what does not pass validation, with all errors (`AccountFailedValidation`); an account that
   * was created before (`AccountAlreadyImported`), is being created (`AccountImportInProgress`), or was marked by the operator
   * (`AccountMarkedToSkip`); every account of a supplier that is not `ongoing` (`SupplierNotOngoing`).
   */
  stageAccount(submission: Submission): UseCaseResult<StagingRefused, Staged>
  /**
   * Creates the account from its staged data, or with `dry_run` tries that and answers `DryRunSucceeded`. The payload is a
   * `ProcessRequest`. There must be staged data (`NothingStaged`), its supplier with the status `ongoing` (`SupplierNotOngoing`), and
   * the team that it names, open to the organisation (`OperationsTeamDoesNotExist`). The data is validated anew, as settings may have changed.
   * An account is created once: later calls are refused with `AccountAlreadyImported`, calls at the same time with
   * `AccountProcessedElsewhere`. After a `PortFailure` it may have been created nevertheless: the same call may be made again.
   */
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
  /**
   * How far one account is. `COMPLETED`: created, under `platformAccountNumber`; `IN_PROGRESS`: it is being created; `UNKNOWN`: staged,
   * or its latest attempt failed (`latestError`). Refused with `AccountImportNotFound` where nothing was ever staged under the key.
   */
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
  ): UseCaseResult<IdempotencyKeyReused | IdempotencyKeyInProgress | IdempotencyRecordsFull, AnsweredOnce>
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
