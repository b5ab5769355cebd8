import { code, date, list, money, optional, required, struct } from '../codec/index.js'
import { transaction } from './transaction.js'

/** One running balance of the account, with its transactions. In balances credit is positive and debt negative. */
export const ledger = struct('ledger', {
  ledger_code: required(code(128, 'ledger_code')),
  last_statement_balance: optional(money),
  last_statement_closing_date: optional(date),
  ledger_balance: optional(money),
  current_statement_transactions: optional(list(transaction)),
  historical_statement_transactions: optional(list(transaction)),
})
