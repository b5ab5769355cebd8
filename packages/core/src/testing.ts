// What only tests and benches of this repository look at. Promised to nobody, imported by no package.
export {
  boolean,
  choice,
  code,
  datetime,
  decimal,
  decimalText,
  documentPath,
  email,
  FAILED,
  figure,
  freeObject,
  integer,
  key,
  list,
  money,
  optional,
  payloadLocation,
  phone,
  price,
  quantity,
  required,
  struct,
  term,
  text,
} from './codec/index.js'
export { accountFromPayload } from './domain/account-from-payload.js'
export { decideTransactions } from './domain/adding-transactions/decide-transactions.js'
export { movedNoteBody, type Move } from './domain/adding-transactions/moved-note.js'
export {
  openStatementPeriod,
  type TransactionFacts,
  type TransactionsDecision,
} from './domain/adding-transactions/transaction-facts.js'
export { transactionsRequestRules } from './rules/transactions.js'
export { check } from './validation/check.js'
export { echoAccount } from './validation/echo-account.js'
export { apiKeyText } from './values/api-key.js'
export { holdsCardNumber, isCardNumber, maskCardNumbers } from './values/card-number.js'
export { documentKey, documentPathCode } from './values/document-path.js'
export { plusSeconds } from './values/instant.js'
export { phoneNumberKind } from './values/phone-number.js'
