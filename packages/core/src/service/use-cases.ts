import type { NoteOutcome } from '../domain/account-from-payload.js'
import type { AccountKey, ImportSummary } from '../domain/account-import.js'
import type { TransactionOptions, TransactionResult } from '../domain/adding-transactions.js'
import { type Actor, unnamedActor } from '../domain/audit-entry.js'
import type { InRun, NamesRun } from '../domain/import-run.js'
import type { EchoedAccount } from '../payloads/echo.js'
import type { HistoricalStatementsRequest } from '../payloads/requests.js'
import type { AccessTokenClaims, TokenUse } from '../ports/access.js'
import type { AccountsPageRequest } from '../ports/accounts.js'
import type { AccountImportListItem } from '../ports/account-imports.js'
import type { ClaimedRequest } from '../ports/idempotency-records.js'
import type { Ports } from '../ports/index.js'
import { type AccountDigest, type FieldDigests, digestUseCases } from '../reporting/digests.js'
import { accountImportUseCases, type ListRequest, type TransferStatus } from '../reporting/look-ups.js'
import {
  type AnsweredOnce,
  answerOnce,
  type FirstAnswer,
  forgetAnswers,
  type KeyedRequest,
} from '../access/answer-once.js'
import { type AuditUseCases, makeAuditUseCases } from '../operating/audit.js'
import { type Authenticated, KeyUses, sessionUseCases } from '../access/authenticate.js'
import { importRunUseCases, type ImportRunUseCases } from '../reporting/import-runs.js'
import { openFailureUseCases, type OpenFailureUseCases } from '../reporting/open-failures.js'
import { obtainToken, type ObtainTokenRequest, type Tokens } from '../access/obtain-token.js'
import { bulkImport, type BulkImporting, type ImportRefused } from '../importing/bulk-import.js'
import { bulkProcess, type BulkProcessing, type BulkProcessRefused } from '../importing/bulk-process.js'
import {
  type BulkResults,
  bulkStage,
  type BulkSubmission,
  bulkValidate,
  type LineUnreadable,
} from '../importing/bulk-submissions.js'
import type { Submission, WithValidator, WithWarnings } from '../checking/check-payload.js'
import { type EmailUseCases, makeEmailUseCases } from '../operating/emails.js'
import type {
  AccountFailedValidation,
  AccountImportNotFound,
  AuthenticationFailed,
  IdempotencyKeyInProgress,
  IdempotencyKeyReused,
  OperationsTeamDoesNotExist,
  ProcessingRefused,
  RefreshTokenReused,
  RunRefused,
  SupplierNotFound,
  TokenExpired,
  TooManyAttempts,
  TransactionOutsideOpenPeriod,
  UseCaseResult,
} from '../checking/errors.js'
import { recorded } from '../operating/about.js'
import { type OperatorUseCases, operatorUseCases } from '../operating/commands.js'
import { additionUseCases, type AdditionRefused } from '../adding/addition.js'
import { addPaymentInstruction, type PaymentInstructionRefused } from '../adding/add-payment-instruction.js'
import { addTransactions } from '../adding/add-transactions.js'
import type { ListPage } from '../lists/pages.js'
import type { Processed } from '../importing/accept-requests.js'
import { processAccount, processAccounts } from '../importing/process-accounts.js'
import { removeDuePayloads } from '../operating/remove-due-payloads.js'
import { stageAccount, type Staged, type StagingRefused } from '../importing/stage-accounts.js'
import {
  type UndoneAccounts,
  type UndoNotConfirmed,
  type UndoPreview,
  type UndoRefused,
  undoUseCases,
} from '../operating/undo.js'
import { usableNames, type UsableNames } from '../access/usable-names.js'
import { type StagingForecast, validateAccount } from '../importing/validate-account.js'
import { makeWebhookUseCases, type WebhookUseCases } from '../operating/webhooks.js'
import { bulkWithinRun, withinRun } from '../reporting/within-run.js'
import { endingAtOutage } from '../reporting/outage.js'

/** Everything the service does. The same for HTTP, embedded and in-memory use. */
export type UseCases = Readonly<{
  /**
   * Checks an account payload; stores nothing. Right: the account as accepted, to be echoed. The organisation needs the supplier
   * that the payload names (`operator.createSupplier`), in any status; without it the answer is `AccountFailedValidation` with
   * `import_supplier_does_not_exist`, beside all other errors. Any other reason for which `stageAccount` would refuse now is a
   * warning; `staging` is the outcome that `stageAccount` would have.
   */
  validateAccount(
    submission: Submission,
  ): UseCaseResult<
    AccountFailedValidation,
    Readonly<{ account: EchoedAccount }> & StagingForecast & WithWarnings
  >
  /**
   * Validates and stores an account payload; data that was staged before is replaced. Nothing is created yet: `processAccount`
   * does.
   *
   * There must be: the organisation (`operator.createOrganisation`), and its supplier with the status `ongoing`
   * (`operator.createSupplier`; `operator.setSupplierStatus`). `processAccount` also needs an operations team
   * (`operator.createTeam`).
   *
   * Refused, and nothing is stored: a payload that does not pass validation, with all errors (`AccountFailedValidation`); an
   * account that was created before (`AccountAlreadyImported`), is being created (`AccountImportInProgress`), or was marked by
   * the operator (`AccountMarkedToSkip`); every account of a supplier that is not `ongoing` (`SupplierNotOngoing`).
   */
  stageAccount(submission: Submission & NamesRun): UseCaseResult<StagingRefused | RunRefused, Staged>
  /**
   * Creates the account from its staged data, or with `dry_run` tries that and answers `DryRunSucceeded`. The payload is a
   * `ProcessRequest`. There must be staged data (`NothingStaged`), its supplier with the status `ongoing` (`SupplierNotOngoing`),
   * and the team that the request names, open to the organisation (`OperationsTeamDoesNotExist`). The data is validated again if
   * it had warnings, or if rules or settings have changed since it was staged. An account is created once: later calls are refused
   * with `AccountAlreadyImported`, calls during a claim on the account with `AccountProcessedElsewhere`. After a `PortFailure` the
   * account may exist nevertheless: the same call may be repeated.
   */
  processAccount(submission: Submission & NamesRun): UseCaseResult<ProcessingRefused | RunRefused, Processed>
  /**
   * Validates each line as `validateAccount` does: one result for each line, in their order, all that are ready together. Lines
   * are read while results are read, a bounded number at one time. The iteration throws a `PortFailure` after a port was
   * unavailable for 256 lines in a row, and rethrows an error of the lines.
   */
  bulkValidate(
    submission: BulkSubmission,
  ): UseCaseResult<
    never,
    BulkResults<AccountFailedValidation | LineUnreadable, StagingForecast & WithWarnings>
  >
  /** Stages each line as `stageAccount` does; results as in `bulkValidate`. */
  bulkStage(
    submission: BulkSubmission & NamesRun & InRun,
  ): UseCaseResult<RunRefused, BulkResults<StagingRefused | LineUnreadable, Staged>>
  /**
   * Processes each named account as `processAccount` does, once; or every account of the supplier that is staged now, in the
   * order of staging, except those that another request creates meanwhile. If the service limits accounts in processing, the
   * request waits for its turn.
   */
  bulkProcess(
    submission: BulkProcessing & NamesRun,
  ): UseCaseResult<BulkProcessRefused | RunRefused, BulkResults<ProcessingRefused, Processed>>
  /**
   * Validates, stages and creates the account of each line, as `stageAccount` and then `processAccount` do, in one statement where
   * nobody needs to see the steps; results as in `bulkValidate`, each the answer of the step that refuses. May be repeated: an
   * account that exists is refused with `AccountAlreadyImported`.
   */
  bulkImport(
    submission: BulkImporting & NamesRun,
  ): UseCaseResult<
    OperationsTeamDoesNotExist | RunRefused,
    BulkResults<ImportRefused | LineUnreadable, Processed>
  >
  /** Adds to a created account those notes that it does not have yet: one outcome for each note, in their order. */
  addNotes(
    submission: Submission,
  ): UseCaseResult<AdditionRefused, Readonly<{ notes: readonly NoteOutcome[] }> & WithWarnings>
  /** Adds statements from before the migration to a created account, all or none. Right: the request as accepted. */
  addHistoricalStatements(
    submission: Submission,
  ): UseCaseResult<AdditionRefused, Readonly<{ request: HistoricalStatementsRequest }> & WithWarnings>
  /** Adds an instruction to a created account if its payment vendor verifies it; an instruction that exists is not changed. */
  addPaymentInstruction(
    submission: Submission,
  ): UseCaseResult<
    PaymentInstructionRefused,
    Readonly<{ platformAccountNumber: string; reference: string }> & WithWarnings
  >
  /**
   * Adds transactions to a created account, in their order, up to the first that fails: one result for each.
   *
   * - `checkPreviouslyAdded`, true when absent: a transaction whose id was added before is skipped
   * - `forceAddToCurrentStatement`, true when absent: a date outside the open statement period is moved into it
   * - `claimed`: the request has an idempotency key (`answerOnce`), and adds nothing twice, also without the check
   */
  addTransactions(
    submission: Submission & Partial<TransactionOptions> & Readonly<{ claimed?: ClaimedRequest | undefined }>,
  ): UseCaseResult<
    AdditionRefused | TransactionOutsideOpenPeriod | IdempotencyKeyInProgress,
    Readonly<{ results: readonly TransactionResult[] }> & WithWarnings
  >
  /**
   * Lists the created accounts that can be undone, those that are kept and why, and a code that confirms exactly this for 15
   * minutes. The payload is an `UndoPreviewRequest`. Changes nothing. The supplier must not be `complete` (`SupplierComplete`).
   */
  previewUndo(submission: Submission): UseCaseResult<UndoRefused, UndoPreview>
  /**
   * Undoes the accounts that a preview showed: each is removed with all that belongs to it, and may be staged and created again,
   * under a new number. The payload is an `UndoAccountsRequest`. If the code is not that of a preview of the last 15 minutes, or
   * anything changed since, nothing is done (`UndoNotConfirmed`). After a `PortFailure` some of the accounts may be removed: a
   * new preview lists the others.
   */
  undoAccounts(submission: Submission): UseCaseResult<UndoRefused | UndoNotConfirmed, UndoneAccounts>
  /**
   * The state of one account. `COMPLETED`: created, under `platformAccountNumber`; `IN_PROGRESS`: it is being created; `UNKNOWN`:
   * staged, or its latest attempt failed (`latestError`). Refused with `AccountImportNotFound` if nothing was ever staged for the
   * key.
   */
  transferStatus(key: AccountKey): UseCaseResult<SupplierNotFound | AccountImportNotFound, TransferStatus>
  /** Counts the imports in each state, and the failed ones of each code. */
  accountImportSummary(
    request: Readonly<{ organisation: string; importSupplier: string }>,
  ): UseCaseResult<SupplierNotFound, ImportSummary>
  /** One page: items after a number, at most `limit` (1 to 1000). `next` is absent on the last page. */
  accountImportsPage(
    request: ListRequest & Readonly<{ after: string | undefined; limit: number }>,
  ): UseCaseResult<SupplierNotFound, ListPage<AccountImportListItem, string>>
  /** The whole list in constant memory; a failing store after the first page makes the iteration throw. */
  allAccountImports(
    request: ListRequest,
  ): UseCaseResult<SupplierNotFound, AsyncIterable<readonly AccountImportListItem[]>>
  /**
   * One page of digests of a supplier's accounts, created ones and staged ones, after a number, at most `limit` (1 to 1000) and
   * fewer where they are large (`storedPageBytes`); `next` is absent on the last page. Organisations take turns.
   * Digests prove that the accounts equal those of a file, and contain no data of the accounts.
   */
  accountDigests(
    request: AccountsPageRequest,
  ): UseCaseResult<SupplierNotFound, ListPage<AccountDigest, string>>
  /**
   * The names that requests of an organisation may use: its import suppliers with their statuses and the context of their
   * validation, in order of code, and the operations teams that are open to it, in order of name.
   */
  usableNames(organisation: string): UseCaseResult<never, UsableNames>
  /**
   * A digest for each value of one account, by its path: digests that differ show where two accounts differ. In an account with
   * over 20,000 values, deep lists and objects have one digest each.
   */
  fieldDigests(key: AccountKey): UseCaseResult<SupplierNotFound | AccountImportNotFound, FieldDigests>
  /**
   * Answers a request by `first`, and repeats that answer for 24 hours when the same request arrives with its key. An answer
   * that is not final, or longer than 64 KiB, is not kept: the same request runs again. An error of `first` is rethrown and not kept. If the service
   * died before it kept the answer, `first` runs again after the claim of `ServiceSettings.processingClaimSeconds` has ended:
   * `first` must be safe to repeat, or pass `claimed` to `addTransactions`, which is.
   */
  answerOnce(
    request: KeyedRequest,
    first: (claimed: ClaimedRequest) => Promise<FirstAnswer>,
  ): UseCaseResult<IdempotencyKeyReused | IdempotencyKeyInProgress, AnsweredOnce>
  /** Removes up to `limit` (1 to 1000) kept answers that have expired, and returns how many; to be called every minute. */
  forgetAnswers(limit: number): UseCaseResult<never, number>
  /**
   * After the retention days of each supplier: removes the failures of its runs, and, where the platform keeps accounts in its own
   * store (`Accounts.keepsDetails`), staged data of up to `limit` (1 to 1000) created accounts. Returns the number of these
   * accounts; to be called every minute, by every server: 0 while another server has the lease.
   */
  removeDuePayloads(limit: number): UseCaseResult<never, number>
  /**
   * `address` is the client's network address; failed attempts are counted by address (IPv6: its /64), and by address and key id.
   */
  obtainToken(
    request: ObtainTokenRequest,
  ): UseCaseResult<AuthenticationFailed | RefreshTokenReused | TooManyAttempts, Tokens>
  /**
   * A revoked key, a disabled organisation and an ended family of refresh tokens take effect within 30 seconds. `use`: the use that
   * the token must have been issued for (`ObtainTokenRequest`).
   */
  authenticate(
    token: string,
    use?: TokenUse,
  ): UseCaseResult<AuthenticationFailed | TokenExpired, Authenticated>
  /**
   * Checks whether a request that began with these claims may go on: to be called repeatedly during a long request. An expired
   * token is no reason to refuse.
   */
  reauthenticate(claims: AccessTokenClaims): UseCaseResult<AuthenticationFailed, void>
  /** Ends the session of a token: it is refused from now on, on other servers within 30 seconds. `requestId`: for the audit log. */
  endSession(claims: Authenticated, requestId?: string): UseCaseResult<never, void>
  /** Stores the uses of API keys since the last call, and returns the number of keys; to be called every minute. */
  noteKeyUses(): UseCaseResult<never, number>
  emails: EmailUseCases
  audit: AuditUseCases
  operator: OperatorUseCases
  webhooks: WebhookUseCases
}> &
  ImportRunUseCases &
  OpenFailureUseCases

const accountUseCases = (ports: Ports & WithValidator) => {
  const validate = validateAccount(ports)
  const process = processAccounts(ports)
  return {
    validateAccount: validate,
    stageAccount: withinRun(ports, 'stage')(stageAccount(ports)),
    processAccount: withinRun(ports, 'process')(processAccount(process)),
    bulkValidate: endingAtOutage(bulkValidate({ validateAccount: validate })),
    bulkStage: endingAtOutage(bulkWithinRun(ports, 'stage')(bulkStage(ports))),
    bulkProcess: endingAtOutage(bulkWithinRun(ports, 'process')(bulkProcess(ports, process))),
    bulkImport: endingAtOutage(bulkWithinRun(ports, 'stage', 'process')(bulkImport(ports, process))),
  }
}

/**
 * Everything the service does, on the given ports. `operator`: the actor of audit events of the operator's use cases.
 * `validator` of the ports: optional.
 */
export const makeUseCases = (ports: Ports & WithValidator, operator: Actor = unnamedActor): UseCases => {
  const keyUses = new KeyUses()
  return {
    ...accountUseCases(ports),
    ...additionUseCases(ports),
    addPaymentInstruction: addPaymentInstruction(ports),
    addTransactions: addTransactions(ports),
    ...undoUseCases(ports),
    ...accountImportUseCases(ports),
    ...digestUseCases(ports),
    ...importRunUseCases(ports),
    ...openFailureUseCases(ports),
    usableNames: usableNames(ports),
    answerOnce: answerOnce(ports),
    forgetAnswers: forgetAnswers(ports),
    removeDuePayloads: removeDuePayloads(ports),
    obtainToken: obtainToken({ ...ports, keyUses }),
    ...sessionUseCases(ports, keyUses),
    emails: makeEmailUseCases(ports),
    audit: {
      ...makeAuditUseCases(ports),
      recorded: (name, work) => recorded(ports, operator, name, {}, work),
    },
    operator: operatorUseCases(ports, operator),
    webhooks: makeWebhookUseCases(ports),
  }
}
