export { addressCodecs, type Addresses, importRunLine } from './address-codecs.js'
export { type BodyName } from './bodies.js'
export { type Answer, type Asked, type Endpoint, type EndpointRequest } from './endpoint.js'
export { jsonOf, type NotReadable } from './json-of.js'
export {
  type AddedNotes,
  type AddedPaymentInstruction,
  type AddedTransactions,
  type EchoedStatements,
} from './endpoints/additions.js'
export { type AccountDigestBody, type FieldDigestsBody } from './endpoints/digests.js'
export { endpoints } from './endpoints/all.js'
export {
  graphqlAddress,
  graphqlErrorCodes,
  obtainedToken,
  type ObtainedToken,
  type ObtainTokenInput,
  obtainTokenMutation,
} from './endpoints/obtain-token.js'
export { type CreatedAccount, type StagedAccount } from './endpoints/single-accounts.js'
export {
  type AccountImportSummary,
  type ListedImport,
  listText,
  type TransferStatusBody,
} from './endpoints/state.js'
export {
  type CountedImportRunBody,
  type ImportRunBody,
  type ImportRunFailureBody,
  type RunAccountBody,
} from './endpoints/import-runs.js'
export { importRunHeader, importRunLineHeader } from './import-run-headers.js'
export { type UndoneAccountsBody, type UndoPreviewBody } from './endpoints/undo.js'
export {
  idempotencyKeyHeader,
  idempotencyKeyPattern,
  isFinalStatus,
  replayedHeader,
  takesIdempotencyKey,
} from './idempotency.js'
export {
  blankLinesLimit,
  bodyLimitBytes,
  cursorText,
  failurePlaceText,
  graphqlBodyLimitBytes,
  nestingLimit,
  pageLimits,
  runPlaceText,
} from './limits.js'
export {
  bulkResultLine,
  type BulkResultLine,
  bulkSummaryLine,
  type BulkSummaryLine,
  type LineOf,
  Lines,
  linesText,
  linesType,
} from './lines.js'
export { errorPagePath, pathOf } from './paths.js'
export {
  fieldErrorsOf,
  parseErrorDetail,
  type Problem,
  type ProblemBody,
  problemBody,
  problemOf,
  type Refusal,
  type RefusalOf,
  type TextPosition,
  type TransportRefusal,
  type UseCaseRefusal,
  type WrittenBody,
} from './problems.js'
export { readWarnings, type Warning, warningHeaders } from './warning-headers.js'
