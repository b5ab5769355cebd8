import type { TypeOf } from 'io-ts'
import {
  boolean,
  choice,
  code,
  date,
  documentPath,
  integer,
  key,
  list,
  money,
  optional,
  refine,
  required,
  table,
  term,
  text,
} from '../codec/index.js'
import { isCardNumber } from '../values/card-number.js'
import { note } from './account.js'
import { externalAccountNumber, importRunId, importSupplierCode, operationsTeamName } from './identifiers.js'
import { transaction, transactionMeanings } from './ledger.js'

/** The fields by which post-import requests name an account. */
const accountFields = {
  import_supplier: required(importSupplierCode),
  external_account_number: required(externalAccountNumber),
}

const accountMeanings = `
  import_supplier: Code of the supplier that the account came from. Example: "LEVANTE"
  external_account_number: Number of the created account in the supplier's old system. Example: "LEV-G-000123"
`

/** The request to create an account from its staged data. */
export const processRequest = table('process request', {
  external_account_number: required(externalAccountNumber),
  import_supplier_code: required(importSupplierCode),
  operations_team_name: required(operationsTeamName),
  dry_run: optional(boolean),
})(`
  external_account_number: Number of the staged account in the supplier's old system. Example: "LEV-E-000456"
  import_supplier_code: Code of the supplier under which it is staged. Example: "LEVANTE"
  operations_team_name: Name of the team that the account is created under, as the operator made it. Example: "Demo team"
  dry_run: Whether to try everything and create nothing; left out, the account is created. Example: true
`)

export type ProcessRequest = TypeOf<typeof processRequest>

/** The request to create accounts from their staged data: the named ones, or all of the supplier. */
export const bulkProcessRequest = table('bulk process request', {
  import_supplier_code: required(importSupplierCode),
  operations_team_name: required(operationsTeamName),
  dry_run: optional(boolean),
  external_account_numbers: optional(list(externalAccountNumber)),
})(`
  import_supplier_code: Code of the supplier whose staged accounts are created. Example: "LEVANTE"
  operations_team_name: Name of the team that the accounts are created under, as the operator made it. Example: "Demo team"
  dry_run: Whether to try everything and create nothing; left out, the accounts are created. Example: true
  external_account_numbers: Numbers of the accounts to create. Left out, they are all that are staged. Example: ["LEV-E-000456"]
`)

export type BulkProcessRequest = TypeOf<typeof bulkProcessRequest>

/** The request to add notes to a created account. */
export const notesRequest = table('notes request', {
  ...accountFields,
  notes: required(list(note)),
})(`${accountMeanings}  notes: Notes to add; one that the account has already is not added again.
`)

export type NotesRequest = TypeOf<typeof notesRequest>

/** A bill to add. Both days of the billed period are inclusive; `number` is printed on the bill. */
const historicalStatement = table('historical statement', {
  bill_period_from_date: required(date),
  bill_period_to_date: required(date),
  statement_id: required(key(255)),
  issued_date: optional(date),
  number: optional(text(255)),
  gross_amount: optional(money),
  statement_path: optional(documentPath),
})(`
  bill_period_from_date: First day that the bill covers. Example: "2024-12-01"
  bill_period_to_date: Last day that the bill covers, itself included. Example: "2024-12-31"
  statement_id: Identifier of the bill in the old system; no two bills of an account share one. Example: "LEV-G-F-2024-12"
  issued_date: Day on which the bill was issued. Example: "2025-01-08"
  number: Number that is printed on the bill. Example: "F24-118832"
  gross_amount: Euros that the bill asks for, tax included. The sign of a bill in the customer's favour is not defined. Example: 71.36
  statement_path: Place of the bill as a document, relative to the document root of the supplier. Example: "statements/LEV-G-000123/2024-12.pdf"
`)

/** The request to add bills from before the migration to a created account. */
export const historicalStatementsRequest = table('historical statements request', {
  ...accountFields,
  statements: required(list(historicalStatement)),
})(`${accountMeanings}  statements: Bills from before the migration to add.
`)

export type HistoricalStatementsRequest = TypeOf<typeof historicalStatementsRequest>

const instructionTypes = ['CARD', 'DIRECT_DEBIT', 'PAYMENT_SLIP', 'CUSTOM'] as const

/** Code of a payment vendor. Vendors depend on the configuration of the service, not on the supplier. */
const paymentVendorCode = term(64)

/** The vendor's own name for an instruction. A card number is refused, as clients must not send or store one. */
const paymentReference = refine(term(512), 'card_number_not_allowed', (reference) => !isCardNumber(reference))

/** The request to add a payment vendor's instruction to a created account. */
export const paymentInstructionRequest = table('payment instruction request', {
  ...accountFields,
  vendor: required(paymentVendorCode),
  reference: required(paymentReference),
  type: required(choice(instructionTypes)),
})(`${accountMeanings}  vendor: Code of the payment vendor that holds the instruction, as the service is set up. Example: "SANDBOX"
  reference: Vendor's own name for the instruction; never the number of a card. Example: "sandbox-card-000123"
  type: Kind of instruction, which has to be the one that the vendor knows. Example: "CARD"
`)

export type PaymentInstructionRequest = TypeOf<typeof paymentInstructionRequest>

/** A transaction, and the ledger that it is added to, the account's first one when absent. */
export const transactionToAdd = table('transaction to add', {
  ...transaction.fields,
  ledger_code: optional(code(128, 'ledger_code')),
})(`${transactionMeanings}  ledger_code: Code of the ledger to add to. Left out, it is the account's first one. Example: "SPAIN_GAS_LEDGER"
`)

/** A checked transaction of the request. */
export type TransactionToAdd = TypeOf<typeof transactionToAdd>

/** The request to add transactions to a created account. */
export const transactionsRequest = table('transactions request', {
  ...accountFields,
  transactions: required(list(transactionToAdd)),
})(`${accountMeanings}  transactions: Transactions to add, in this order; the first that fails ends the request.
`)

export type TransactionsRequest = TypeOf<typeof transactionsRequest>

const fields = {
  import_supplier_code: required(importSupplierCode),
  external_account_numbers: required(list(externalAccountNumber)),
  with_additions: optional(boolean),
}

const meanings = `
  import_supplier_code: Code of the supplier whose created accounts are undone. Example: "LEVANTE"
  external_account_numbers: Numbers of the accounts in the supplier's old system, at most 10,000. Example: ["LEV-E-000456"]
  with_additions: Whether accounts with later additions are undone too, with these additions. Left out, they are kept. Example: true
`

/** The request to preview which created accounts can be undone. */
export const undoPreviewRequest = table('undo preview request', fields)(meanings)

export type UndoPreviewRequest = TypeOf<typeof undoPreviewRequest>

/** The request to undo created accounts, with the code of the preview that it confirms. */
export const undoRequest = table('undo request', { ...fields, confirmation_code: required(term(64)) })(
  `${meanings}  confirmation_code: Code of the preview of the same accounts, not older than 15 minutes. Example: "m93k1x2c-5f1c0b7a9e3d4c6b8a7f2e1d0c9b8a7f"
`,
)

export type UndoAccountsRequest = TypeOf<typeof undoRequest>

const sha256 = refine(term(64), 'invalid', (text) => /^[0-9a-f]{64}$/.test(text), {
  form: '64 hexadecimal digits in lower case',
})

const source = table('run source', {
  name: required(term(255)),
  sha256: required(sha256),
  accounts: optional(integer(1, 2_147_483_647)),
})(`
  name: Name of the file without folders, for people. Example: "accounts.ndjson"
  sha256: SHA-256 of the file's bytes, as hexadecimal digits. Example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
  accounts: Number of the accounts in the file, of all suppliers, so that people see how far the run is. Example: 4000
`)

/** The request to open an import run. */
export const importRunRequest = table('import run request', {
  import_supplier: required(importSupplierCode),
  label: optional(term(255)),
  source: optional(source),
})(`
  import_supplier: Code of the supplier whose accounts the run imports. Example: "LEVANTE"
  label: A text for people that tells this run from others. Example: "Rehearsal 3"
  source: The file that is sent. A run of the same supplier with an equal source that is not finished goes on.
`)

export type ImportRunRequest = TypeOf<typeof importRunRequest>

/** The largest line number in the source of a run. */
const mostLines = 1_000_000_000_000

const openFailure = table('open failure', {
  external_account_number: optional(externalAccountNumber),
  import_run: optional(importRunId),
  line: optional(integer(1, mostLines)),
})(`
  external_account_number: Number of the refused account in the supplier's old system. Example: "LEV-E-000456"
  import_run: Id of the run, where the number could not be read. Example: "4f2k9Q7x1M3pT8vB2nL6sA"
  line: Number of the line in the source of that run, counted from 1. Example: 12
`)

/** The request to dismiss open failures. */
export const dismissalRequest = table('dismissal request', {
  import_supplier: required(importSupplierCode),
  failures: required(list(openFailure)),
  reason: required(term(200)),
})(`
  import_supplier: Code of the supplier whose open failures are dismissed. Example: "LEVANTE"
  failures: Open failures that are no longer to be repaired, each by its number, or by run and line; at most 10,000.
  reason: Why nothing is to be repaired, for the audit log. Example: "Closed before the migration"
`)

export type DismissalRequest = TypeOf<typeof dismissalRequest>
