import type { TransactionToAdd } from '../../payloads/transactions-request.js'
import type { DecimalText } from '../../values/decimal.js'
import type { Instant } from '../../values/instant.js'
import { type LocalDate, nextDay } from '../../values/local-date.js'
import { today } from '../../values/today.js'
import type { Transaction } from '../account-details.js'
import type { Move } from './moved-note.js'

/** What has to be known of a ledger to add a transaction to it. */
export type LedgerFacts = Readonly<{ ledgerCode: string; lastStatementClosingDate: LocalDate | undefined }>

/** What is read from the store and used for the decision as it is. */
export type AlreadyOnAccount = Readonly<{
  /** In the order of the payload that the account was created from. */
  ledgers: readonly LedgerFacts[]
  /**
   * How many transactions of an id the account has. Holds at least the ids of the request that the account has.
   */
  timesAdded: ReadonlyMap<string, number>
}>

/** What is stored of an account that transactions are added to. */
export type AccountForTransactions = AlreadyOnAccount &
  Readonly<{
    /** The earliest start of supply of all its supply points. */
    earliestSupplyStart: LocalDate | undefined
    /** The earliest `customer_at_supply_address_from_date`. */
    earliestAtAddress: LocalDate | undefined
    createdAt: Instant
  }>

/** What has to be known of an account before transactions are added to it. */
export type TransactionFacts = AlreadyOnAccount &
  Readonly<{
    /** Where the open statement period of a ledger that was never closed begins. */
    firstDay: LocalDate
  }>

/** `firstDay`: the earliest start of supply, else the earliest day at an address, else the day of creation. */
export const transactionFacts = (account: AccountForTransactions, timeZone: string): TransactionFacts => ({
  ledgers: account.ledgers,
  timesAdded: account.timesAdded,
  firstDay: account.earliestSupplyStart ?? account.earliestAtAddress ?? today(account.createdAt, timeZone),
})

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

/** Both days are inclusive; `first` is never after `last`. */
export type StatementPeriod = Readonly<{ first: LocalDate; last: LocalDate }>

/**
 * The open statement period of a ledger: from the day after its last closing date, or from `firstDay` if there is no
 * closing date, up to today. A period that would begin after today is its first day alone. `ledger`: undefined on an
 * account without ledgers.
 */
export const openStatementPeriod = (
  ledger: LedgerFacts | undefined,
  firstDay: LocalDate,
  today: LocalDate,
): StatementPeriod => {
  const closed = ledger?.lastStatementClosingDate
  const first = closed === undefined ? firstDay : nextDay(closed)
  return { first, last: first > today ? first : today }
}

/** The day of the period that is nearest to the date: the date itself if it lies inside. */
export const dayInPeriod = (date: LocalDate, { first, last }: StatementPeriod): LocalDate => {
  if (date < first) return first
  return date > last ? last : date
}
