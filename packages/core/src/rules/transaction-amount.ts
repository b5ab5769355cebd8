import type { TypeOf } from 'io-ts'
import { FAILED } from '../codec/failed.js'
import type { transaction } from '../payloads/transaction.js'
import { DecimalSum } from '../values/decimal-sum.js'
import type { SentDecimal } from '../values/decimal.js'
import { isRead, itemsOf, type Readable, type ReadList } from './readable.js'
import type { ObjectRule } from './rule.js'

/** Decimals of a figure: section 3. */
const FIGURE = 10

type Transaction = Readable<TypeOf<typeof transaction>>

/** Subtracts what `amountOf` takes from each item; false if it cannot be read everywhere. */
const subtractAll = <A>(
  items: ReadList<A>,
  amountOf: (item: A) => SentDecimal | typeof FAILED | undefined,
  sum: DecimalSum,
): boolean => {
  for (const item of itemsOf(items)) {
    const amount = item === FAILED ? FAILED : amountOf(item)
    if (!isRead(amount)) return false
    sum.subtract(amount)
  }
  return items !== FAILED
}

/** Section 7.3: the amount of a transaction with line items is the sum of these and its taxes. */
export const transactionAmount: ObjectRule<Transaction> = ({ amount, line_items, tax_items }, at, report) => {
  if (!isRead(amount) || !isRead(line_items) || line_items.length === 0) return
  const difference = new DecimalSum(FIGURE)
  difference.add(amount)
  const isComplete =
    subtractAll(line_items, (item) => item.net_amount, difference) &&
    subtractAll(tax_items, (item) => item.amount, difference)
  if (isComplete && difference.isCentOrMore)
    report.add(
      'ledger_transaction_amount_does_not_match_with_line_item_net_amount_and_tax_amount',
      at,
      'amount',
    )
}
