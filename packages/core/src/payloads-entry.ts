// Exports for programs that describe or check payloads: their codecs, the meaning of each field, and the check of an account.
export { type Limits } from './catalogue/index.js'
export { type Finding, type Path, type PathKey, plainContext } from './codec/findings.js'
export {
  Choice,
  Code,
  Codec,
  date,
  Findings,
  Integer,
  Key,
  List,
  Location,
  MAX_ITEMS,
  openLists,
  Refined,
  Scalar,
  Struct,
  Text,
  type CheckContext,
  type DecimalSize,
  type Failed,
  type Field,
  type Fields,
  type FieldValues,
  type Reader,
} from './codec/index.js'
export {
  isShownKey,
  meaningOf,
  readField,
  type Flat,
  type RequiredNames,
  type ValueOf,
} from './codec/struct.js'
export { accountPayload } from './payloads/account.js'
export {
  externalAccountNumber,
  importRunId,
  importSupplierCode,
  operationsTeamName,
  organisationCode,
} from './payloads/identifiers.js'
export {
  bulkProcessRequest,
  historicalStatementsRequest,
  dismissalRequest,
  importRunRequest,
  notesRequest,
  paymentInstructionRequest,
  processRequest,
  transactionsRequest,
  undoPreviewRequest,
  undoRequest,
} from './payloads/requests.js'
export { checkAccountPayload, type Checked, type ExtraFinding, tooManyValues } from './validation/check.js'
export { accountDocumentPaths, type LocatedPath } from './validation/document-paths.js'
export { settingsFaults } from './validation/supplier-settings.js'
export { maxValues } from './validation/value-count.js'
export { supplyPointKey } from './values/cups.js'
