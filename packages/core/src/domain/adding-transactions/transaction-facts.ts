import type { Instant } from '../../values/instant.js'
import type { LocalDate } from '../../values/local-date.js'
import { today } from '../../values/today.js'

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
