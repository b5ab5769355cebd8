export {
  type Client,
  type ClientOptions,
  createClient,
  type ListRequest,
  type PagesRequest,
  type Submit,
} from './create-client.js'
export type { BulkMethods, BulkProcessRequest, SubmitMany } from './bulk/bulk-methods.js'
export type { BulkOptions } from './bulk/bulk-request.js'
export type {
  BulkResult,
  BulkResults,
  BulkSummary,
  FailedLine,
  LineResult,
  ProcessedLine,
  StagedLine,
  Stopped,
  ValidLine,
} from './bulk/bulk-result.js'
export type { BulkItem, BulkSource } from './bulk/bulk-source.js'
export { isTlsCode, noConnectionCode } from './bulk/settle.js'
export type { CallOptions, JsonObject, KeyedOptions, TransactionOptions, UntypedJson } from './options.js'
export { isPlainHttpBeyondLoopback } from './exchange.js'
export type { ClientCode, Failure, Result, Success, Warned } from './result.js'
// Types of the methods' answers.
export type {
  AccountDigestBody,
  AccountImportSummary,
  FieldDigestsBody,
  AddedNotes,
  AddedPaymentInstruction,
  AddedTransactions,
  CreatedAccount,
  EchoedStatements,
  ListedImport,
  StagedAccount,
  TransferStatusBody,
  UndoneAccountsBody,
  UndoPreviewBody,
} from '@account-import/http-contract'
// Types of their arguments.
export type {
  AccountPayload,
  AccountToSend,
  HistoricalStatementsRequest,
  NotesRequest,
  PaymentInstructionRequest,
  ProcessRequest,
  Sendable,
  TransactionsRequest,
  UndoAccountsRequest,
  UndoPreviewRequest,
} from '@account-import/core'
