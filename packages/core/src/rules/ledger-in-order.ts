import type { TypeOf } from 'io-ts'
import type { CheckContext } from '../codec/check-context.js'
import { FAILED } from '../codec/failed.js'
import type { ledger } from '../payloads/ledger.js'
import type { transaction } from '../payloads/transaction.js'
import type { LocalDate } from '../values/local-date.js'
import { isSurelyBelowCent, toDouble } from '../values/rough-sum.js'
import type { InOrder } from './combine.js'
import { isPast } from './dates.js'
import { raises } from './ledger-balances.js'
import { isRead, itemsOf, type Readable, type ReadList } from './readable.js'
import { isTransactionInOrder } from './transactions.js'

type Ledger = Readable<TypeOf<typeof ledger>>
type Transaction = Readable<TypeOf<typeof transaction>>

/** On which side of the closing date the transactions of a list lie. */
type Side = Readonly<{ closing: LocalDate | undefined; isAfter: boolean }>

/** Whether nothing is to be said of each transaction alone, and all surely make one balance of the other. */
const areInOrder = (
  transactions: ReadList<Transaction>,
  [balance, before]: readonly [number, number],
  { closing, isAfter }: Side,
  context: CheckContext,
): boolean => {
  let sum = balance - before
  let magnitude = Math.abs(balance) + Math.abs(before)
  for (const item of itemsOf(transactions)) {
    if (item === FAILED || !isRead(item.type) || !isTransactionInOrder(item, context)) return false
    // Days that were not read are not in order.
    if (closing !== undefined && (item.transaction_date as LocalDate) > closing !== isAfter) return false
    const amount = toDouble(item.amount)
    sum += raises(item.type) ? -amount : amount
    magnitude += Math.abs(amount)
  }
  return transactions !== FAILED && isSurelyBelowCent(sum, magnitude)
}

/** Whether no rule over a ledger and its transactions has anything to say, told in one pass over each list. */
export const isLedgerInOrder: InOrder<Ledger> = (ledger, context) => {
  const { last_statement_balance: sentLast, last_statement_closing_date: closing } = ledger
  const { current_statement_transactions: current, historical_statement_transactions: past } = ledger
  if (closing !== undefined && !isPast(closing, context)) return false
  if (closing === FAILED || sentLast === undefined) return false
  const last = toDouble(sentLast)
  if (!areInOrder(current, [toDouble(ledger.ledger_balance), last], { closing, isAfter: true }, context))
    return false
  if (past === undefined || (past !== FAILED && past.length === 0)) return true
  return closing !== undefined && areInOrder(past, [last, 0], { closing, isAfter: false }, context)
}
