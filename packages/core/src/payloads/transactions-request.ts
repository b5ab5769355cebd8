import type { TypeOf } from 'io-ts'
import { code, list, optional, required, struct } from '../codec/index.js'
import { accountFields } from './account-fields.js'
import { transaction } from './transaction.js'

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
