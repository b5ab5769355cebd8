/** Paths as guides name them, N for an index. */
export const supplyPointAt = 'supply_addresses.N.supply_points.N'
export const agreementAt = `${supplyPointAt}.agreements.N`
export const readingAt = `${supplyPointAt}.readings.N`
export const billableItemAt = `${supplyPointAt}.billable_items.N`

const transactionLists = [
  'ledgers.N.current_statement_transactions.N',
  'ledgers.N.historical_statement_transactions.N',
]

/** A field of transactions, in both lists of a ledger. */
export const accountTransactionsAt = (field: string): readonly string[] =>
  transactionLists.map((list) => `${list}.${field}`)

/** A field of transactions, also in the request that adds transactions. */
export const transactionsAt = (field: string): readonly string[] => [
  ...accountTransactionsAt(field),
  `transactions.N.${field}`,
]

/** The objects that examples stand in. */
export const customerPath = 'customers.0'
export const addressPath = 'supply_addresses.0'
export const supplyPointPath = `${addressPath}.supply_points.0`
export const agreementPath = `${supplyPointPath}.agreements.0`
export const ledgerPath = 'ledgers.0'
export const transactionPath = `${ledgerPath}.current_statement_transactions.0`
