import type { AccountDetails, Ledger, Transaction } from './account-details.js'

/** The statement period of its ledger that a transaction belongs to: the open one, or one that was billed. */
export type TransactionPeriod = 'current' | 'historical'

/** A transaction with its place: `ledger` counts from 0 in payload order, and is absent where the account has none. */
export type PlacedTransaction = Readonly<{
  ledger?: number
  period: TransactionPeriod
  transaction: Transaction
}>

/** The parts of an account to which more can be added once it exists, each in its order. */
export type AccountItems = Pick<AccountDetails, 'notes' | 'statements' | 'payment_instructions'> &
  Readonly<{
    /** Of one ledger and period they stand in their order there. */
    transactions: readonly PlacedTransaction[]
  }>

/** Everything that cannot be added later: an account without its items. */
export type AccountDocument = Omit<
  AccountDetails,
  'notes' | 'statements' | 'payment_instructions' | 'transactions_without_ledger' | 'ledgers'
> &
  Readonly<{ ledgers: readonly Omit<Ledger, `${TransactionPeriod}_statement_transactions`>[] }>

const placedTransactions = ({
  ledgers,
  transactions_without_ledger: others,
}: Pick<AccountDetails, 'ledgers' | 'transactions_without_ledger'>): readonly PlacedTransaction[] => [
  ...ledgers.flatMap(({ current_statement_transactions: current }, ledger) =>
    current.map((transaction): PlacedTransaction => ({ ledger, period: 'current', transaction })),
  ),
  ...ledgers.flatMap(({ historical_statement_transactions: historical }, ledger) =>
    historical.map((transaction): PlacedTransaction => ({ ledger, period: 'historical', transaction })),
  ),
  ...others.map((transaction): PlacedTransaction => ({ period: 'current', transaction })),
]

/** The parts that an account is kept in: what stays as it was created, and the items that others may follow. */
export const partsOf = (
  details: AccountDetails,
): Readonly<{ document: AccountDocument; items: AccountItems }> => {
  const { notes, statements, payment_instructions, transactions_without_ledger, ...rest } = details
  return {
    document: {
      ...rest,
      ledgers: details.ledgers.map(
        ({ current_statement_transactions: _current, historical_statement_transactions: _old, ...ledger }) =>
          ledger,
      ),
    },
    items: {
      notes,
      statements,
      payment_instructions,
      transactions: placedTransactions({ ledgers: details.ledgers, transactions_without_ledger }),
    },
  }
}

/** The account of these parts, equal to the one that they were taken from, with what was added to them. */
export const detailsOf = (document: AccountDocument, items: AccountItems): AccountDetails => {
  const { transactions, ...lists } = items
  const byPlace = new Map<string, Transaction[]>()
  for (const { ledger, period, transaction } of transactions) {
    const place = `${ledger} ${period}`
    const known = byPlace.get(place)
    if (known === undefined) byPlace.set(place, [transaction])
    else known.push(transaction)
  }
  const of = (ledger: number | undefined, period: TransactionPeriod): readonly Transaction[] =>
    byPlace.get(`${ledger} ${period}`) ?? []
  return {
    ...document,
    ...lists,
    ledgers: document.ledgers.map((ledger, at) => ({
      ...ledger,
      current_statement_transactions: of(at, 'current'),
      historical_statement_transactions: of(at, 'historical'),
    })),
    transactions_without_ledger: of(undefined, 'current'),
  }
}
