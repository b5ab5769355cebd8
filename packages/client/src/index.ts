export {
  type Client,
  type ClientOptions,
  createClient,
  type ListRequest,
  type PagesRequest,
  type Submit,
} from './create-client.js'
export { type BulkMethods, type BulkProcessRequest, type SubmitMany } from './bulk/bulk-methods.js'
export { type BulkOptions } from './bulk/bulk-request.js'
export {
  type BulkResult,
  type BulkResults,
  type BulkSummary,
  type FailedLine,
  type LineResult,
  type ProcessedLine,
  type StagedLine,
  type Stopped,
  type ValidLine,
} from './bulk/bulk-result.js'
export { type BulkItem, type BulkSource } from './bulk/bulk-source.js'
export { isTlsCode, noConnectionCode } from './bulk/settle.js'
export {
  type CallOptions,
  type JsonObject,
  type KeyedOptions,
  type TransactionOptions,
  type UntypedJson,
} from './options.js'
export { isPlainHttpBeyondLoopback } from './exchange.js'
export { type ClientCode, type Failure, type Result, type Success, type Warned } from './result.js'
// Types of the methods' answers.
export {
  type AccountDigestBody,
  type AccountImportSummary,
  type FieldDigestsBody,
  type AddedNotes,
  type AddedPaymentInstruction,
  type AddedTransactions,
  type CountedImportRunBody,
  type CreatedAccount,
  type EchoedStatements,
  type ImportRunBody,
  type ImportRunFailureBody,
  type ListedImport,
  type RunAccountBody,
  type StagedAccount,
  type TransferStatusBody,
  type UndoneAccountsBody,
  type UndoPreviewBody,
} from '@account-import/http-contract'
// Types of their arguments.
export {
  type AccountPayload,
  type AccountToSend,
  type HistoricalStatementsRequest,
  type ImportRunRequest,
  type NotesRequest,
  type PaymentInstructionRequest,
  type ProcessRequest,
  type Sendable,
  type TransactionsRequest,
  type UndoAccountsRequest,
  type UndoPreviewRequest,
} from '@account-import/core'
