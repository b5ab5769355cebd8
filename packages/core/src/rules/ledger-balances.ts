import type { TypeOf } from 'io-ts'
import { FAILED } from '../codec/failed.js'
import type { ledger } from '../payloads/ledger.js'
import type { transaction } from '../payloads/transaction.js'
import { DecimalSum } from '../values/decimal-sum.js'
import type { SentDecimal } from '../values/decimal.js'
import { isRead, itemsOf, type Readable, type ReadList } from './readable.js'
import type { ObjectRule } from './rule.js'

/** Decimals of money. */
const MONEY = 2

type Ledger = Readable<TypeOf<typeof ledger>>
type Transaction = Readable<TypeOf<typeof transaction>>

/** Whether a transaction raises a balance, as payments and credits do; all others lower it. */
const raises = (type: Transaction['type']): boolean => type === 'PAYMENT' || type === 'CREDIT'

/** Adds balance - (earlier balance + effects of the transactions) to the sum; false if one of them cannot be read. */
const addDifference = (
  [balance, before]: readonly [SentDecimal, SentDecimal],
  transactions: ReadList<Transaction>,
  sum: DecimalSum,
): boolean => {
  sum.add(balance)
  sum.subtract(before)
  for (const item of itemsOf(transactions)) {
    if (item === FAILED || !isRead(item.amount) || !isRead(item.type)) return false
    if (raises(item.type)) sum.subtract(item.amount)
    else sum.add(item.amount)
  }
  return transactions !== FAILED
}

/** Whether a balance is not the earlier one plus the effects of the transactions, if all of them can be read. */
const balanceDiffers = (
  balance: SentDecimal,
  before: SentDecimal,
  transactions: ReadList<Transaction>,
): boolean => {
  const exact = new DecimalSum(MONEY)
  return addDifference([balance, before], transactions, exact) && !exact.isZero
}

/** The balance is that of the last statement plus the effects of the current transactions. */
export const ledgerBalance: ObjectRule<Ledger> = (ledger, at, findings) => {
  const { current_statement_transactions: current, last_statement_balance: last } = ledger
  if (!isRead(ledger.ledger_balance) || last === FAILED || (last === undefined && current === undefined))
    return
  if (balanceDiffers(ledger.ledger_balance, last ?? 0, current))
    findings.add('balance_mismatch_on_ledger_balance', at, 'ledger_balance')
}

/** The balance of the last statement is the effect of the historical transactions, if there are any. */
export const lastStatementBalance: ObjectRule<Ledger> = (ledger, at, findings) => {
  const { historical_statement_transactions: historical, last_statement_balance: last } = ledger
  if (!isRead(last) || !isRead(historical) || historical.length === 0) return
  if (balanceDiffers(last, 0, historical))
    findings.add('historical_statement_transactions_balance_mismatch', at, 'last_statement_balance')
}
