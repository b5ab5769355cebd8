// Exports for adapters of the ports: decisions of the domain that a store repeats, bounded work, and values in their written form.
export { slots, TooManyWaiting, type Slots } from './concurrency/fair-queue.js'
export { backoff, pause, withinTime } from './concurrency/pause.js'
export { Recent } from './concurrency/recent.js'
export { accountFormat, accountFromPayload, noteContent } from './domain/account-from-payload.js'
export {
  accountKeyText,
  asPreviewed,
  type CountedImports,
  isInProgress,
  refusalOf,
  summaryOf,
  undoOutcome,
} from './domain/account-import.js'
export {
  dismissalOf,
  errorsOfFailure,
  interruptedAfterSeconds,
  isStillOpen,
  openPlaceOf,
  placeOf,
  type Reached,
} from './domain/import-run.js'
export { deliveriesOf, standstillOf, unknownAfterSeconds } from './domain/webhook.js'
export { erasedDetails, removedDetails, transactionsOf, withAdded } from './domain/account.js'
export { accountForTransactions } from './domain/adding-transactions.js'
export { chainPartsOf, sealedText, unnamedActor } from './domain/audit-entry.js'
export { contactsOf } from './domain/customer-email.js'
export { keepablePaymentDetails } from './domain/payment-instruction-details.js'
export { isPortFailure, portCall } from './ports/port-failure.js'
export { mapped } from './lists/pages.js'
export { verifyChains } from './operating/audit.js'
export { payloadDocumentPaths } from './validation/document-paths.js'
export { compareCodePoints, isSameJson } from './values/compare.js'
export { countryCodes } from './values/country-code.js'
export { toMoney } from './values/decimal.js'
export { isDocumentKey } from './values/document-path.js'
export { isEmail } from './values/contacts.js'
export { fromWireDatetime, isInstant, isTimeZone, today, toWireDatetime } from './values/instant.js'
export { isLoopback, withoutBrackets } from './values/network-of.js'
export { httpDate, retryAfterSeconds } from './values/retry-after.js'
