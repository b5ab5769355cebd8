import type { TransactionToAdd } from '../../payloads/transactions-request.js'
import type { DecimalText } from '../../values/decimal.js'
import type { Transaction } from '../account-details.js'
import type { Move } from './moved-note.js'

/** The parameters of the request (docs/reference/endpoints.md#post-v1data-importtransactionscreate). */
export type TransactionOptions = Readonly<{
  checkPreviouslyAdded: boolean
  forceAddToCurrentStatement: boolean
}>

/** The echo of a transaction: fields in table order, numbers as sent, but the amount as text with two places. */
export type TransactionData = Omit<TransactionToAdd, 'amount'> & Readonly<{ amount: DecimalText }>

export type TransactionResult = Readonly<{
  status: 'TRANSACTION_ADDED_TO_ACCOUNT' | 'TRANSACTION_ALREADY_EXISTS'
  transaction_data: TransactionData
}>

/**
 * A transaction that joins the current ones of a ledger.
 *
 * - `ledger`: index among the account's ledgers; undefined on an account without ledgers
 * - `copy`: how many transactions of its id the account had before, which tells copies apart
 */
export type AddedTransaction = Readonly<{
  ledger: number | undefined
  copy: number
  transaction: Transaction
}>

/**
 * What becomes of a request. `failed`: the first transaction that may not be added. It and all after it add nothing.
 *
 * - `results`: one for each transaction before `failed`, in order
 * - `moves`: those of `added` whose date was changed
 */
export type TransactionsDecision = Readonly<{
  results: readonly TransactionResult[]
  added: readonly AddedTransaction[]
  moves: readonly Move[]
  failed: TransactionData | undefined
}>
