import { toMoney } from '../values/decimal.js'
import type { AccountPayload } from './account.js'

/** The account as it was sent, but the `amount` of each transaction is decimal text with two places. */
export type EchoedAccount = Readonly<Record<string, unknown>>

type Ledger = NonNullable<AccountPayload['ledgers']>[number]
type Transaction = NonNullable<Ledger['current_statement_transactions']>[number]

/** Replaces the value of the field, and keeps the order of the fields. */
const withAmount = (transaction: Transaction): object => ({
  ...transaction,
  amount: toMoney(transaction.amount),
})

const withAmounts = (ledger: Ledger): object => ({
  ...ledger,
  ...(ledger.current_statement_transactions !== undefined && {
    current_statement_transactions: ledger.current_statement_transactions.map(withAmount),
  }),
  ...(ledger.historical_statement_transactions !== undefined && {
    historical_statement_transactions: ledger.historical_statement_transactions.map(withAmount),
  }),
})

/**
 * The echo of an account: as accepted, with its fields in table order, but the `amount` of transactions as decimal
 * text with two places.
 */
export const echoAccount = (account: AccountPayload): EchoedAccount => ({
  ...account,
  ...(account.ledgers !== undefined && { ledgers: account.ledgers.map(withAmounts) }),
})
