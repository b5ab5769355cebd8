import type { TypeOf } from 'io-ts'
import { FAILED } from '../codec/failed.js'
import type { ledger } from '../payloads/ledger.js'
import type { transaction } from '../payloads/transaction.js'
import { DecimalSum } from '../values/decimal-sum.js'
import type { SentDecimal } from '../values/decimal.js'
import { RoughSum } from '../values/rough-sum.js'
import { isRead, itemsOf, type Readable, type ReadList } from './readable.js'
import type { ObjectRule } from './rule.js'

/** Decimals of money: section 3. */
const MONEY = 2

type Ledger = Readable<TypeOf<typeof ledger>>
type Transaction = Readable<TypeOf<typeof transaction>>

type Sum = Pick<DecimalSum, 'add' | 'subtract'>

/**
 * Subtracts the effects of transactions on a balance, which payments and credits raise and all others lower; false
 * if one of them cannot be read.
 */
const subtractEffects = (transactions: ReadList<Transaction>, sum: Sum): boolean => {
  for (const item of itemsOf(transactions)) {
    if (item === FAILED) return false
    const { amount, type } = item
    if (!isRead(amount) || !isRead(type)) return false
    if (type === 'PAYMENT' || type === 'CREDIT') sum.subtract(amount)
    else sum.add(amount)
  }
  return transactions !== FAILED
}

/** Whether a balance differs from an earlier one and the effects of transactions, where all can be read. */
const balanceDiffers = (
  balance: SentDecimal,
  before: SentDecimal,
  transactions: ReadList<Transaction>,
): boolean => {
  const addDifference = (sum: Sum): boolean => {
    sum.add(balance)
    sum.subtract(before)
    return subtractEffects(transactions, sum)
  }
  const rough = new RoughSum()
  // All of these have whole cents.
  if (!addDifference(rough) || rough.isSurelyBelowCent) return false
  const exact = new DecimalSum(MONEY)
  return addDifference(exact) && !exact.isZero
}

/** Section 7.3: the balance is that of the last statement and the effects of the current transactions. */
export const ledgerBalance: ObjectRule<Ledger> = (ledger, at, report) => {
  const { current_statement_transactions: current, last_statement_balance: last } = ledger
  if (!isRead(ledger.ledger_balance) || last === FAILED || (last === undefined && current === undefined))
    return
  if (balanceDiffers(ledger.ledger_balance, last ?? 0, current))
    report.add('balance_mismatch_on_ledger_balance', at, 'ledger_balance')
}

/** Section 7.3: the balance of the last statement is the effect of the historical transactions, if there are any. */
export const lastStatementBalance: ObjectRule<Ledger> = (ledger, at, report) => {
  const { historical_statement_transactions: historical, last_statement_balance: last } = ledger
  if (!isRead(last) || !isRead(historical) || historical.length === 0) return
  if (balanceDiffers(last, 0, historical))
    report.add('historical_statement_transactions_balance_mismatch', at, 'last_statement_balance')
}
