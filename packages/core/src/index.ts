// Exports for embedding the service; the other entries of this package have the names for one kind of program each.
export {
  catalogue,
  detailOf,
  isErrorCode,
  type CatalogueEntry,
  type CodeClass,
  type ErrorCode,
  type FieldCode,
} from './catalogue/index.js'
export { type FieldError } from './codec/index.js'
export * from './domain/account-details.js'
export {
  type AccountImport,
  type AccountKey,
  type Claim,
  type CreatedAccount,
  type FailedAttempt,
  type ImportRefusal,
  type ImportSummary,
  type StagedWarnings,
  type UndoableAccount,
  type UndoOutcome,
  type UndoRefusal,
  undoRefusals,
} from './domain/account-import.js'
export { type KnownNotes, type NewNote, type NoteOutcome } from './domain/account-from-payload.js'
export { type Account, type AddedItems, type PlacedTransaction } from './domain/account.js'
export {
  type AccountForTransactions,
  type AddedTransaction,
  type TransactionData,
  type TransactionOptions,
  type TransactionResult,
} from './domain/adding-transactions.js'
export {
  noOrganisation,
  type Actor,
  type AuditEntry,
  type AuditEvent,
  type ListedEvent,
  type SealedBlock,
  type SealedEvent,
  type StoredEvent,
} from './domain/audit-entry.js'
export {
  type Contact,
  type CustomerEmail,
  type EmailRecipient,
  type EmailState,
} from './domain/customer-email.js'
export {
  webhookEvents,
  type Webhook,
  type WebhookDelivery,
  type WebhookEvent,
  type WebhookSecrets,
} from './domain/webhook.js'
export * from './domain/import-supplier.js'
export { type PaymentInstructionDetails } from './domain/payment-instruction-details.js'
export { type AccountPayload, type Sendable } from './payloads/account.js'
export type { EchoedAccount } from './payloads/echo.js'
export * from './payloads/to-send.js'
export {
  type BulkProcessRequest,
  type HistoricalStatementsRequest,
  type ImportRunRequest,
  type NotesRequest,
  type PaymentInstructionRequest,
  type ProcessRequest,
  type TransactionsRequest,
  type TransactionToAdd,
  type UndoAccountsRequest,
  type DismissalRequest,
  type UndoPreviewRequest,
} from './payloads/requests.js'
export { type LocatedPath } from './validation/document-paths.js'
export * from './ports/account-imports.js'
export * from './ports/accounts.js'
export {
  type FailurePlace,
  type ImportRun,
  type InRun,
  type NamesRun,
  type RunReference,
  type RunCounts,
  type RunError,
  type RunFailure,
  type RunFinding,
  type RunState,
  type RunTotals,
  type RunStep,
  runStates,
  runSteps,
  type OpenFailure,
  type OpenPlace,
} from './domain/import-run.js'
export * from './ports/access.js'
export {
  type AuditFilter,
  type AuditTrail,
  type ChainHead,
  type ChainPart,
  type KeyUse,
  type SealCheck,
  type SealedPlace,
  type Sealing,
} from './ports/audit-trail.js'
export { type Clock, type KeyRing, type Secrets, type WrappedKey } from './ports/secrets.js'
export * from './ports/documents.js'
export * from './ports/idempotency-records.js'
export * from './ports/import-runs.js'
export * from './ports/registers.js'
export { type Ports, type StorePorts } from './ports/index.js'
export * from './ports/outbox.js'
export * from './ports/payment-vendors.js'
export * from './ports/personal-data.js'
export {
  type AsyncOperations,
  portFailure,
  type PortFailure,
  portOf,
  type PortResult,
} from './ports/port-failure.js'
export * from './ports/webhooks.js'
export * from './ports/settings.js'
export * from './ports/unit-of-work.js'
export { rememberedDocuments } from './provided/remembered.js'
export * from './provided/system.js'
export { bundledMarkets, catalogueOf } from './rules/markets/bundled-markets.js'
export { type MarketPack } from './rules/markets/market-pack.js'
export * from './settings/supplier-settings.js'
export type { AccountDigest, FieldDigests } from './reporting/digests.js'
export type { ListRequest, TransferStatus } from './reporting/look-ups.js'
export { type AnsweredOnce, type FirstAnswer, type KeyedRequest } from './access/answer-once.js'
export {
  type AuditUseCases,
  type ChainBreak,
  type ChainChecked,
  type WantedChains,
  type WantedEntries,
} from './operating/audit.js'
export { whoHasKey, type Authenticated } from './access/authenticate.js'
export { type Credentials, type ObtainTokenRequest, type Tokens } from './access/obtain-token.js'
export { type BulkImporting, type ImportRefused } from './importing/bulk-import.js'
export { type BulkProcessing, type BulkProcessRefused } from './importing/bulk-process.js'
export {
  type BulkLine,
  type BulkResult,
  type BulkResults,
  type BulkSubmission,
  type LineUnreadable,
} from './importing/bulk-submissions.js'
export {
  type SentPayload,
  type Submission,
  type WithValidator,
  type WithWarnings,
} from './checking/check-payload.js'
export { type EmailOutcome, type EmailUseCases } from './operating/emails.js'
export * from './checking/errors.js'
export { type UseCases } from './service/use-cases.js'
export { type AccountUseCases } from './operating/accounts.js'
export { type OrganisationUseCases } from './operating/organisations.js'
export { type OperatorUseCases } from './operating/commands.js'
export { type DocumentsChecked, type MissingDocument, type SupplierUseCases } from './operating/suppliers.js'
export { type ShownWebhook, type WebhookOperatorUseCases } from './operating/webhook-commands.js'
export { type WebhookOutcome, type WebhookUseCases } from './operating/webhooks.js'
export * from './service/import-service.js'
export { type PaymentInstructionRefused } from './adding/add-payment-instruction.js'
export { type AdditionRefused } from './adding/addition.js'
export { type Processed } from './importing/accept-requests.js'
export type { UsableNames } from './access/usable-names.js'
export { type Staged, type StagingRefused } from './importing/stage-accounts.js'
export { type ListPage } from './lists/pages.js'
export type { StagingForecast } from './importing/validate-account.js'
export {
  type ImportRunUseCases,
  type RunPlace,
  type RunRequest,
  type ShownRun,
} from './reporting/import-runs.js'
export { type OpenFailureUseCases } from './reporting/open-failures.js'
export { type AccountFigures } from './domain/account-digest.js'
export {
  type SupplierComplete,
  type UndoneAccounts,
  type UndoNotConfirmed,
  type UndoPreview,
  type UndoRefused,
} from './operating/undo.js'
export { builtInSettings } from './validation/supplier-settings.js'
export { type DecimalText, type SentDecimal } from './values/decimal.js'
export { type Instant, instantOf, type LocalDate, millisecondsOf } from './values/instant.js'
export { type SafeForMail } from './values/html.js'
