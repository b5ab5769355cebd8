export type { Answer, ListAnswer } from './call.js'
export { jsonOf } from './body/json-of.js'
export type { NotReadable } from './body/json-of.js'
export type { Call, EndpointAddress } from './call.js'
export { calls } from './calls/all.js'
export type { Endpoint } from './endpoint.js'
export { accountImportLists, wholeListAnswer, type PageToAnswer } from './endpoints/account-import-lists.js'
export type { AccountImportSummary } from './calls/account-import-summary.js'
export type { EchoedStatements } from './calls/add-historical-statements.js'
export type { AddedNotes } from './calls/add-notes.js'
export type { AddedPaymentInstruction } from './calls/add-payment-instruction.js'
export type { AddedTransactions } from './calls/add-transactions.js'
export { endpoints } from './endpoints/all.js'
export {
  graphqlAddress,
  graphqlErrorCodes,
  obtainedToken,
  obtainTokenMutation,
} from './endpoints/obtain-token.js'
export type { ObtainedToken, ObtainTokenInput } from './endpoints/obtain-token.js'
export type { CreatedAccount } from './calls/process-account.js'
export type { StagedAccount } from './calls/stage-account.js'
export type { TransferStatusBody } from './calls/transfer-status.js'
export { errorPagePath } from './paths.js'
export { Html, html, noHtml, type HtmlPart } from './html.js'
export {
  idempotencyKeyHeader,
  idempotencyKeyPattern,
  isFinalStatus,
  replayedHeader,
  takesIdempotencyKey,
} from './idempotency.js'
export { blankLinesLimit, bodyLimitBytes, graphqlBodyLimitBytes, nestingLimit, pageLimits } from './limits.js'
export { bulkResultLine, bulkSummaryLine, type BulkResultLine, type BulkSummaryLine } from './lines/lines.js'
export type { BulkCounts, BulkSuccess, BulkToAnswer } from './lines/bulk-lines.js'
export { isLines, Lines, linesType, type LineOf } from './lines/lines.js'
export { linesText } from './lines/lines.js'
export { listText } from './lists/listed-import.js'
export type { ListedImport } from './lists/listed-import.js'
export { pathOf } from './paths.js'
export { fieldErrorsOf } from './problems/problem.js'
export { parseErrorDetail } from './problems/transport-problems.js'
export { problemBody } from './problems/problem.js'
export type { ProblemBody } from './problems/problem.js'
export { problemOf } from './problems/problem-of.js'
export type { Refusal } from './problems/problem-of.js'
export type { Problem, WrittenBody } from './problems/problem.js'
export type { TextPosition } from './problems/problem.js'
export type { TransportRefusal } from './problems/transport-problems.js'
export type { Done, RefusalOf, Requested, UseCaseRefusal } from './use-case.js'
export { readWarnings } from './warning-headers.js'
export type { Warning } from './warning-headers.js'
export { warningHeaders } from './warning-headers.js'
