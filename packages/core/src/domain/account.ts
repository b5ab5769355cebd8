import type { Instant } from '../values/instant.js'
import type { AccountDetails, Ledger, Transaction } from './account-details.js'
import type { AccountKey } from './account-import.js'

/** An account of the platform. */
export type Account = Readonly<{
  key: AccountKey
  platformAccountNumber: string
  operationsTeam: string
  /** The version of the staged data that it was created from. */
  stagedVersion: number
  createdAt: Instant
  /** The id of the run that created it; absent if none did. */
  importRun?: string
  details: AccountDetails
}>

/** All transactions of an account: ledger by ledger, and those without one last. */
export const transactionsOf = ({
  ledgers,
  transactions_without_ledger,
}: AccountDetails): readonly Transaction[] => [
  ...ledgers.flatMap((ledger) => [
    ...ledger.current_statement_transactions,
    ...ledger.historical_statement_transactions,
  ]),
  ...transactions_without_ledger,
]

/** A transaction of the open statement period. `ledger` counts from 0 in payload order; absent if the account has no ledger. */
export type PlacedTransaction = Readonly<{ ledger?: number | undefined; transaction: Transaction }>

/** The items that were added to an account after its creation: each list in the order of the additions. */
export type AddedItems = Pick<AccountDetails, 'notes' | 'statements' | 'payment_instructions'> &
  Readonly<{ transactions: readonly PlacedTransaction[] }>

/** The account with the items after its own ones of each list. Items whose ledger does not exist are left out. */
export const withAdded = (
  details: AccountDetails,
  { notes = [], statements = [], payment_instructions = [], transactions = [] }: Partial<AddedItems>,
): AccountDetails => {
  const of = (place: number | undefined): readonly Transaction[] =>
    transactions.filter(({ ledger }) => ledger === place).map(({ transaction }) => transaction)
  return {
    ...details,
    notes: [...details.notes, ...notes],
    statements: [...details.statements, ...statements],
    payment_instructions: [...details.payment_instructions, ...payment_instructions],
    ledgers: details.ledgers.map((ledger, place) => ({
      ...ledger,
      current_statement_transactions: [...ledger.current_statement_transactions, ...of(place)],
    })),
    transactions_without_ledger: [...details.transactions_without_ledger, ...of(undefined)],
  }
}

/** Replaces ids of transactions and the sales channel: both are texts of the client, which may name a person. */
const erasedText = 'erased'

type Optional<T, Field extends keyof T> = object extends Pick<T, Field> ? undefined : never

/**
 * The rest of each field of a type after erasure. It requires every field, so that a new field without a rule does not compile.
 */
type Remains<T> = {
  readonly [Field in keyof T]-?: (value: NonNullable<T[Field]>) => T[Field] | Optional<T, Field>
}

const kept = <A>(value: A): A => value
const removed = (): undefined => undefined
const emptied = (): readonly [] => []
const replaced = (): string => erasedText

const erasedBy =
  <T extends object>(remains: Remains<T>) =>
  (value: T): T =>
    Object.fromEntries(
      Object.entries<(field: never) => unknown>(remains).flatMap(([name, rule]) => {
        const field = value[name as keyof T] as never
        const left = field === undefined ? undefined : rule(field)
        return left === undefined ? [] : [[name, left]]
      }),
    ) as T

const each =
  <T extends object>(remains: Remains<T>) =>
  (list: readonly T[]): readonly T[] =>
    list.map(erasedBy(remains))

/** Accounting needs the date, amount and type of a transaction. */
const remainingTransaction: Remains<Transaction> = {
  transaction_id: replaced,
  transaction_date: kept,
  amount: kept,
  type: kept,
  reason: removed,
  reference: removed,
  payment_type: removed,
  display_note: removed,
  note: removed,
  product_code: removed,
  line_items: emptied,
  tax_items: emptied,
}

const remainingLedger: Remains<Ledger> = {
  ledger_code: kept,
  last_statement_balance: kept,
  last_statement_closing_date: kept,
  ledger_balance: kept,
  current_statement_transactions: each(remainingTransaction),
  historical_statement_transactions: each(remainingTransaction),
}

/** The rest of an erased account: codes, and the money of its ledgers. It contains no personal data. */
export const erasedDetails: (details: AccountDetails) => AccountDetails = erasedBy<AccountDetails>({
  account_type: kept,
  customers: emptied,
  supply_addresses: emptied,
  notes: emptied,
  ledgers: each(remainingLedger),
  transactions_without_ledger: each(remainingTransaction),
  payment_schedules: emptied,
  statements: emptied,
  payment_instructions: emptied,
  metadata: emptied,
  references: emptied,
  billing_name: removed,
  billing_address1: removed,
  billing_address2: removed,
  billing_address3: removed,
  billing_address4: removed,
  billing_address5: removed,
  billing_postcode: removed,
  sales_channel: replaced,
  sales_subchannel: removed,
  unknown_occupier: kept,
  communication_preference: kept,
})

/** Counts the entries of all lists that erasure empties. */
const rowsOf = (details: AccountDetails): number => {
  const points = details.supply_addresses.flatMap(({ supply_points }) => supply_points)
  const agreements = points.flatMap((point) => point.agreements)
  const { customers, supply_addresses, notes, payment_schedules, statements } = details
  const { payment_instructions, metadata, references } = details
  const lists = [customers, supply_addresses, points, agreements, notes, payment_schedules, statements]
  return [...lists, payment_instructions, metadata, references].reduce((sum, { length }) => sum + length, 0)
}

/** Counts the transactions that erasure changes. */
const changedTransactions = (details: AccountDetails): number => {
  const left = transactionsOf(erasedDetails(details))
  return transactionsOf(details).filter((each, at) => JSON.stringify(each) !== JSON.stringify(left[at]))
    .length
}

/** Counts what erasure removes: entries of lists, and transactions that lose texts. */
export const removedDetails = (
  details: AccountDetails,
): Readonly<{ rows: number; transactions: number }> => ({
  rows: rowsOf(details),
  transactions: changedTransactions(details),
})
