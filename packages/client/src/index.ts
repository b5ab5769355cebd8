export {
  type Client,
  type ClientOptions,
  createClient,
  type ListRequest,
  type PagesRequest,
  type Submit,
} from './create-client.js'
export {
  type BulkMethods,
  type BulkProcessRequest,
  type ImportMany,
  type ImportOptions,
  type SubmitMany,
} from './bulk/bulk-methods.js'
export { type BulkItem, type BulkOptions, type BulkSource } from './bulk/bulk-request.js'
export {
  type BulkResult,
  type BulkResults,
  type BulkSummary,
  type FailedLine,
  isTlsCode,
  type LineResult,
  noConnectionCode,
  type ProcessedLine,
  type StagedLine,
  type Stopped,
  type ValidLine,
} from './bulk/settle.js'
export {
  type CallOptions,
  type ClientCode,
  type Failure,
  type JsonObject,
  type KeyedOptions,
  type Result,
  type Success,
  type TransactionOptions,
  type UntypedJson,
  type Warned,
} from './result.js'
export { isPlainHttpBeyondLoopback } from './exchange.js'
// Types of the methods' answers.
export { type AnswerOf } from '@account-import/http-contract'
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
  type DismissalRequest,
  type UndoPreviewRequest,
} from '@account-import/core'
