import { erasedDetails, type AccountDetails } from './account-details.js'

/** The entries of all lists that are emptied. */
const rowsOf = (details: AccountDetails): number => {
  const points = details.supply_addresses.flatMap(({ supply_points }) => supply_points)
  const agreements = points.flatMap((point) => point.agreements)
  const { customers, supply_addresses, notes, payment_schedules, statements } = details
  const { payment_instructions, metadata, references } = details
  const lists = [customers, supply_addresses, points, agreements, notes, payment_schedules, statements]
  return [...lists, payment_instructions, metadata, references].reduce((sum, { length }) => sum + length, 0)
}

const transactionsOf = ({ ledgers, transactions_without_ledger }: AccountDetails) => [
  ...ledgers.flatMap((ledger) => [
    ...ledger.current_statement_transactions,
    ...ledger.historical_statement_transactions,
  ]),
  ...transactions_without_ledger,
]

/** How many transactions say more than what stays of them. */
const tellingTransactions = (details: AccountDetails): number => {
  const left = transactionsOf(erasedDetails(details))
  return transactionsOf(details).filter((each, at) => JSON.stringify(each) !== JSON.stringify(left[at]))
    .length
}

/** How much erasing an account with these details removes: entries of its lists, and transactions that lose texts. */
export const removedDetails = (
  details: AccountDetails,
): Readonly<{ rows: number; transactions: number }> => ({
  rows: rowsOf(details),
  transactions: tellingTransactions(details),
})
