import type { AccountDetails, Transaction } from './account-details.js'

/** Stands for ids of transactions and for the sales channel: both are texts of the client, which may name a person. */
export const erasedText = 'erased'

/** The rest of a transaction, as money needs it: date, amount and type. */
const erasedTransaction = ({ transaction_date, amount, type }: Transaction): Transaction => ({
  transaction_id: erasedText,
  transaction_date,
  amount,
  type,
  line_items: [],
  tax_items: [],
})

/** What is left of an account that was erased: codes, and the money of its ledgers. Nothing of it tells of a person. */
export const erasedDetails = (details: AccountDetails): AccountDetails => ({
  account_type: details.account_type,
  sales_channel: erasedText,
  unknown_occupier: details.unknown_occupier,
  communication_preference: details.communication_preference,
  customers: [],
  supply_addresses: [],
  notes: [],
  ledgers: details.ledgers.map((ledger) => ({
    ...ledger,
    current_statement_transactions: ledger.current_statement_transactions.map(erasedTransaction),
    historical_statement_transactions: ledger.historical_statement_transactions.map(erasedTransaction),
  })),
  transactions_without_ledger: details.transactions_without_ledger.map(erasedTransaction),
  payment_schedules: [],
  statements: [],
  payment_instructions: [],
  metadata: [],
  references: [],
})
