export * from './fp.js'
export type { FieldError } from './codec/field-error.js'
export type { AccountKey } from './domain/account-key.js'
export { accountKeyText } from './domain/account-key.js'
export type { Account } from './domain/account.js'
export type * from './domain/account-details.js'
export type * from './domain/account-import.js'
export type { CustomerEmail, EmailState } from './domain/customer-email.js'
export type { Contact, EmailRecipient } from './domain/email-recipients.js'
export { noteContent, type KnownNotes, type NewNote, type NoteOutcome } from './domain/account-notes.js'
export { isInProgress, refusalOf } from './domain/account-import.js'
export type * from './domain/import-supplier.js'
export { supplierStatuses } from './domain/import-supplier.js'
export type * from './domain/payment-instruction-details.js'
export { keepablePaymentDetails } from './domain/keepable-payment-details.js'
export { scopes } from './domain/scope.js'
export type { Scope } from './domain/scope.js'
export type { Ports, StorePorts } from './ports/index.js'
export type * from './ports/access-tokens.js'
export type * from './ports/account-imports.js'
export type * from './ports/account-notes.js'
export type * from './ports/account-payment-instructions.js'
export type * from './ports/account-statements.js'
export type * from './ports/account-transactions.js'
export type * from './ports/accounts.js'
export type * from './ports/api-keys.js'
export type * from './ports/clock.js'
export type * from './ports/document-references.js'
export type * from './ports/customer-notifier.js'
export type * from './ports/documents.js'
export type * from './ports/failed-attempts.js'
export type * from './ports/import-suppliers.js'
export type * from './ports/operations-teams.js'
export type * from './ports/organisations.js'
export type * from './ports/outbox.js'
export { emailLists } from './ports/outbox.js'
export type * from './ports/payment-vendors.js'
export type * from './ports/platform-account-numbers.js'
export { portCall, portFailure } from './ports/port-failure.js'
export type { PortFailure, PortResult } from './ports/port-failure.js'
export type * from './ports/refresh-tokens.js'
export type * from './ports/secrets.js'
export { defaultServiceSettings } from './ports/settings.js'
export type { EmailSettings, ServiceSettings } from './ports/settings.js'
export type * from './ports/unit-of-work.js'
export type * as useCaseErrors from './use-cases/errors.js'
export type * from './use-cases/signatures.js'
export type * from './settings/rule-settings.js'
export { severities, type Severity } from './settings/severity.js'
export type * from './settings/supplier-settings.js'
export type { DecimalText, SentDecimal } from './values/decimal.js'
export { toMoney } from './values/decimal.js'
export {
  fromWireDatetime,
  instantOf,
  isInstant,
  millisecondsOf,
  plusSeconds,
  toTheSecond,
  toWireDatetime,
} from './values/instant.js'
export type { Instant } from './values/instant.js'
export type { LocalDate } from './values/local-date.js'
export * from './catalogue/index.js'
export * from './codec/index.js'
export { accountPayload, accountTypes, type AccountPayload } from './payloads/account.js'
export {
  externalAccountNumber,
  importSupplierCode,
  operationsTeamName,
  organisationCode,
} from './payloads/identifiers.js'
export {
  historicalStatementsRequest,
  type HistoricalStatementsRequest,
} from './payloads/historical-statements-request.js'
export {
  instructionTypes,
  paymentInstructionRequest,
  type PaymentInstructionRequest,
} from './payloads/payment-instruction-request.js'
export { notesRequest, type NotesRequest } from './payloads/notes-request.js'
export { frequencies, means, triggers } from './payloads/payment-schedule.js'
export { processRequest, type ProcessRequest } from './payloads/process-request.js'
export { transactionTypes } from './payloads/transaction.js'
export {
  transactionsRequest,
  type TransactionsRequest,
  type TransactionToAdd,
} from './payloads/transactions-request.js'
export { markets, type Market } from './rules/markets/markets.js'
export { judgeTransactionsRequest } from './rules/transactions-request.js'
export { builtInSettings } from './validation/built-in-settings.js'
export { check, readField, type Checked, type ExtraEntry } from './validation/check.js'
export { checkAccountPayload } from './validation/check-account-payload.js'
export { echoAccount, type EchoedAccount } from './validation/echo-account.js'
export { payloadDocumentPaths } from './validation/payload-document-paths.js'
export { settingsFaults } from './validation/settings-faults.js'
export { holdsCardNumber } from './values/card-number.js'
export { countryCodes } from './values/country-code.js'
export { documentKey, isDocumentKey } from './values/document-key.js'
export { judgeDocumentPath, type DocumentPathFault } from './values/document-path.js'
export { isEmail } from './values/email.js'
export { judgePhoneNumber, type PhoneJudgement } from './values/phone-number.js'
export { isTimeZone, today } from './values/today.js'
export { makeUseCases } from './use-cases/index.js'
export { plainUseCases } from './use-cases/plain-use-cases.js'
export type { Plain, PlainResult, PlainUseCases, PlainValue } from './use-cases/plain-use-cases.js'
export { cachedApiKeys } from './provided/cached-api-keys.js'
export { randomPlatformAccountNumbers } from './provided/random-platform-account-numbers.js'
export { rememberedDocuments } from './provided/remembered-documents.js'
export type { RememberedDocumentsOptions } from './provided/remembered-documents.js'
export { slots } from './provided/slots.js'
export type { Slots } from './provided/slots.js'
export { systemClock } from './provided/system-clock.js'
export { webCryptoSecrets } from './provided/web-crypto-secrets.js'
export { withinTime } from './provided/within-time.js'
export { accountFromPayload } from './domain/account-from-payload.js'
export { decideTransactions } from './domain/adding-transactions/decide-transactions.js'
export { movedNoteBody, type Move } from './domain/adding-transactions/moved-note.js'
export {
  openStatementPeriod,
  type StatementPeriod,
} from './domain/adding-transactions/open-statement-period.js'
export type {
  AccountForTransactions,
  LedgerFacts,
  TransactionFacts,
} from './domain/adding-transactions/transaction-facts.js'
export { transactionFacts } from './domain/adding-transactions/transaction-facts.js'
export type * from './domain/adding-transactions/transactions-decision.js'
export { compareCodePoints } from './values/compare-code-points.js'
