// Exports that adapters, contract, client and server need besides those of index.ts: codecs, validation, values, fp-ts.
export { textOf, type Limits } from './catalogue/index.js'
export { type Finding, type Path, type PathKey } from './codec/findings.js'
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
export { plainContext } from './codec/findings.js'
export { meaningOf, type Flat, type RequiredNames, type ValueOf } from './codec/struct.js'
export { slots, TooManyWaiting, type Slots } from './concurrency/fair-queue.js'
export { pause, withinTime } from './concurrency/pause.js'
export { Recent } from './concurrency/recent.js'
export { accountFormat, accountFromPayload, noteContent } from './domain/account-from-payload.js'
export {
  accountKeyText,
  asPreviewed,
  countedImport,
  type CountedImports,
  isInProgress,
  refusalOf,
  summaryOf,
  undoOutcome,
  undoRefusals,
} from './domain/account-import.js'
export {
  comparePlaces,
  compareRuns,
  fieldOf,
  findingsOf,
  interruptedAfterSeconds,
  namedAt,
  undoneAt,
  placeOf,
  runErrors,
  runStates,
  runSteps,
} from './domain/import-run.js'
export {
  compareDeliveries,
  deliveriesOf,
  failingFrom,
  standstillOf,
  type Standstill,
  unknownAfterSeconds,
} from './domain/webhook.js'
export { comparedPieces, comparedText, figuresOf, figureSums, valuesByPath } from './domain/account-digest.js'
export { digestOf, fieldText } from './use-cases/account-imports.js'
export {
  erasedDetails,
  removedDetails,
  transactionsOf,
  withAdded,
  type AddedItems,
  type PlacedTransaction,
} from './domain/account.js'
export { accountForTransactions } from './domain/adding-transactions.js'
export { sealedText, unnamedActor } from './domain/audit-entry.js'
export { contactsOf } from './domain/customer-email.js'
export { keepablePaymentDetails } from './domain/payment-instruction-details.js'
export { E, pipe, type Either } from './fp.js'
export {
  bulkProcessRequest,
  historicalStatementsRequest,
  importRunRequest,
  notesRequest,
  paymentInstructionRequest,
  processRequest,
  transactionsRequest,
  undoPreviewRequest,
  undoRequest,
} from './payloads/requests.js'
export { accountPayload } from './payloads/account.js'
export {
  externalAccountNumber,
  importRunId,
  importSupplierCode,
  operationsTeamName,
} from './payloads/identifiers.js'
export { isWanted } from './ports/audit-trail.js'
export { isPortFailure } from './ports/port-failure.js'
export { mapped } from './use-cases/pages.js'
export {
  checkAccountPayload,
  type Checked,
  type ExtraFinding,
  payloadDocumentPaths,
  readField,
} from './validation/check.js'
export { hasTooManyValues } from './validation/value-count.js'
export { settingsFaults } from './validation/supplier-settings.js'
export { compareCodePoints, isSameJson } from './values/compare.js'
export { countryCodes } from './values/country-code.js'
export { toMoney } from './values/decimal.js'
export { isDocumentKey } from './values/document-path.js'
export { isEmail } from './values/contacts.js'
export { escapeHtml, html, Html, noHtml, safeForMail } from './values/html.js'
export { lookStyles } from './values/look.js'
export { fromWireDatetime, isInstant, isTimeZone, today, toWireDatetime } from './values/instant.js'
export { isLoopback } from './values/network-of.js'
