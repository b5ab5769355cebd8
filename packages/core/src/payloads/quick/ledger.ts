// Written by `npm run docs:generate` from the codec. Change the codec, not this file.
import type { Part } from '../../codec/quick/part.js'
import type { Reading } from '../../codec/quick/reading.js'
import { isPlainDate } from '../../codec/quick/plain-date.js'
import { inheritsNothing } from '../../codec/json-object.js'
import { isPlainAmount } from '../../codec/quick/plain-amount.js'
import { isPlainDecimal } from '../../codec/quick/plain-decimal.js'
import { childOf, readSilently, sizeOf } from '../../codec/quick/by-part.js'
import { isPlainCode } from '../../codec/quick/by-settings.js'
import { countInOrder, isShortList } from '../../codec/quick/holders.js'
import { isTransaction } from './transaction.js'

const areCurrentStatementTransactions = (value: unknown, part: Part, reading: Reading): boolean => {
  if (!isShortList(value)) return false
  const each = childOf(part, 0)
  for (let index = 0; index < value.length; index++) {
    const item = value[index]
    if (!isTransaction(item, each, reading)) return false
  }
  return true
}

const areHistoricalStatementTransactions = (value: unknown, part: Part, reading: Reading): boolean => {
  if (!isShortList(value)) return false
  const each = childOf(part, 0)
  for (let index = 0; index < value.length; index++) {
    const item = value[index]
    if (!isTransaction(item, each, reading)) return false
  }
  return true
}

const names = ['ledger_code', 'last_statement_balance', 'last_statement_closing_date', 'ledger_balance', 'current_statement_transactions', 'historical_statement_transactions'] as const

type Sent = Readonly<Partial<Record<(typeof names)[number], unknown>>>

/** Whether a value surely is a whole ledger, with fields in table order and none unknown. */
export const isLedger = (object: unknown, part: Part, reading: Reading): boolean => {
  const count = countInOrder(object, names)
  if (count < 1) return false
  const { ledger_code, last_statement_balance, last_statement_closing_date, ledger_balance, current_statement_transactions, historical_statement_transactions } = object as Sent
  return (
    count === 1 + (last_statement_balance === undefined ? 0 : 1) + (last_statement_closing_date === undefined ? 0 : 1) + (ledger_balance === undefined ? 0 : 1) + (current_statement_transactions === undefined ? 0 : 1) + (historical_statement_transactions === undefined ? 0 : 1) &&
    inheritsNothing(object as Sent) &&
    (isPlainCode(ledger_code, 128, 'ledger_code', reading) || readSilently(childOf(part, 0), ledger_code, reading)) &&
    (last_statement_balance === undefined || (isPlainAmount(last_statement_balance, 1e2, 1e10) || isPlainDecimal(last_statement_balance, sizeOf(childOf(part, 1))) || readSilently(childOf(part, 1), last_statement_balance, reading))) &&
    (last_statement_closing_date === undefined || (isPlainDate(last_statement_closing_date) || readSilently(childOf(part, 2), last_statement_closing_date, reading))) &&
    (ledger_balance === undefined || (isPlainAmount(ledger_balance, 1e2, 1e10) || isPlainDecimal(ledger_balance, sizeOf(childOf(part, 3))) || readSilently(childOf(part, 3), ledger_balance, reading))) &&
    (current_statement_transactions === undefined || areCurrentStatementTransactions(current_statement_transactions, childOf(part, 4), reading)) &&
    (historical_statement_transactions === undefined || areHistoricalStatementTransactions(historical_statement_transactions, childOf(part, 5), reading))
  )
}
