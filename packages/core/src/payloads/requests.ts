import type { TypeOf } from 'io-ts'
import {
  boolean,
  choice,
  code,
  date,
  documentPath,
  key,
  list,
  money,
  optional,
  refine,
  required,
  struct,
  term,
  text,
} from '../codec/index.js'
import { isCardNumber } from '../values/card-number.js'
import { note } from './account.js'
import { externalAccountNumber, importSupplierCode, operationsTeamName } from './identifiers.js'
import { transaction } from './ledger.js'

/** How the post-import requests name the account that data is added to. */
const accountFields = {
  import_supplier: required(importSupplierCode),
  external_account_number: required(externalAccountNumber),
}

/** The part that all post-import requests share. */
export type AccountFields = Readonly<{ import_supplier: string; external_account_number: string }>

/** The request to create an account from its staged data. */
export const processRequest = struct('process request', {
  external_account_number: required(externalAccountNumber),
  import_supplier_code: required(importSupplierCode),
  operations_team_name: required(operationsTeamName),
  dry_run: optional(boolean),
})

export type ProcessRequest = TypeOf<typeof processRequest>

/** The request to create accounts from their staged data: those that are named, or all of the supplier. */
export const bulkProcessRequest = struct('bulk process request', {
  import_supplier_code: required(importSupplierCode),
  operations_team_name: required(operationsTeamName),
  dry_run: optional(boolean),
  external_account_numbers: optional(list(externalAccountNumber)),
})

export type BulkProcessRequest = TypeOf<typeof bulkProcessRequest>

/** The request to add notes to a created account. */
export const notesRequest = struct('notes request', { ...accountFields, notes: required(list(note)) })

export type NotesRequest = TypeOf<typeof notesRequest>

/** A bill to add. Both days of the billed period are inclusive; `number` is printed on the bill. */
const historicalStatement = struct('historical statement', {
  bill_period_from_date: required(date),
  bill_period_to_date: required(date),
  statement_id: required(key(255)),
  issued_date: optional(date),
  number: optional(text(255)),
  gross_amount: optional(money),
  statement_path: optional(documentPath),
})

/** The request to add bills from before the migration to a created account. */
export const historicalStatementsRequest = struct('historical statements request', {
  ...accountFields,
  statements: required(list(historicalStatement)),
})

export type HistoricalStatementsRequest = TypeOf<typeof historicalStatementsRequest>

const instructionTypes = ['CARD', 'DIRECT_DEBIT', 'PAYMENT_SLIP', 'CUSTOM'] as const

/** Code of a payment vendor. Which ones there are depends on how the service is set up, not on the supplier. */
const paymentVendorCode = term(64)

/** The vendor's own name for an instruction. A card number is none: whoever holds one must not send or keep it. */
const paymentReference = refine(term(512), 'card_number_not_allowed', (reference) => !isCardNumber(reference))

/** The request to add an instruction that a payment vendor holds to a created account. */
export const paymentInstructionRequest = struct('payment instruction request', {
  ...accountFields,
  vendor: required(paymentVendorCode),
  reference: required(paymentReference),
  type: required(choice(instructionTypes)),
})

export type PaymentInstructionRequest = TypeOf<typeof paymentInstructionRequest>

/** A transaction, and the ledger that it is added to: the account's first one where it is absent. */
export const transactionToAdd = struct('transaction to add', {
  ...transaction.fields,
  ledger_code: optional(code(128, 'ledger_code')),
})

/** A transaction as it is sent to be added, checked. */
export type TransactionToAdd = TypeOf<typeof transactionToAdd>

/** The request to add transactions to a created account. */
export const transactionsRequest = struct('transactions request', {
  ...accountFields,
  transactions: required(list(transactionToAdd)),
})

export type TransactionsRequest = TypeOf<typeof transactionsRequest>
