// Exports for tests and benches of this repository alone: they may change at any time, and no package imports them.
export * from './codec/index.js'
export { inPages } from './concurrency/pages.js'
export { comparedPieces } from './domain/account-digest.js'
export {
  decideTransactions,
  movedNoteBody,
  openStatementPeriod,
  type Move,
  type TransactionFacts,
  type TransactionsDecision,
} from './domain/adding-transactions.js'
export { comparePlaces, compareRuns, findingsOf, namedAt, runErrors, undoneAt } from './domain/import-run.js'
export { transactionsRequestRules } from './rules/ledgers.js'
export { rulesVersion } from './rules/version.js'
export { rulesInForce } from './checking/rules-in-force.js'
export { echoAccount } from './payloads/echo.js'
export { check } from './validation/check.js'
export { apiKeyText } from './values/api-key.js'
export { holdsCardNumber, isCardNumber, maskCardNumbers } from './values/card-number.js'
export { documentKey, documentPathCode } from './values/document-path.js'
export { plusSeconds } from './values/instant.js'
export { phoneNumberKind } from './values/contacts.js'
