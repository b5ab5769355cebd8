export { addressCodecs, type Addresses, importRunLine } from './address-codecs.js'
export { type BodyName } from './bodies.js'
export { type Answer, type Asked, type Endpoint, type EndpointRequest } from './endpoint.js'
export { jsonOf, type NotReadable, type Overview, type TooManyValues } from './json-of.js'
export { listText } from './endpoints/state.js'
export { type AnswerOf, endpoints } from './endpoints/all.js'
export {
  graphqlAddress,
  graphqlErrorCodes,
  obtainedToken,
  type ObtainedToken,
  type ObtainTokenInput,
  obtainTokenMutation,
} from './endpoints/obtain-token.js'
export {
  blankLinesLimit,
  bodyLimitBytes,
  cursorText,
  errorPagePath,
  failurePlaceText,
  openPlaceText,
  graphqlBodyLimitBytes,
  importRunHeader,
  importRunLineHeader,
  nestingLimit,
  pageLimits,
  pathOf,
  requestValuesLimit,
  runPlaceText,
} from './limits.js'
export {
  bulkResultLine,
  type BulkResultLine,
  bulkSummaryLine,
  type BulkSummaryLine,
  idempotencyKeyHeader,
  idempotencyKeyPattern,
  isFinalStatus,
  type LineOf,
  Lines,
  linesText,
  linesType,
  replayedHeader,
  takesIdempotencyKey,
} from './lines.js'
export {
  fieldErrorsOf,
  parseErrorDetail,
  type Problem,
  type ProblemBody,
  problemBody,
  problemOf,
  type Refusal,
  type TextPosition,
  type TransportRefusal,
  type WrittenBody,
} from './problems.js'
export { readWarnings, type Warning, warningHeaders } from './warning-headers.js'
