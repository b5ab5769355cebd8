import type { TypeOf } from 'io-ts'
import { FAILED, type Failed } from '../codec/failed.js'
import type { transaction } from '../payloads/transaction.js'
import { DecimalSum } from '../values/decimal-sum.js'
import type { SentDecimal } from '../values/decimal.js'
import { isRead, itemsOf, type Readable, type ReadList } from './readable.js'
import type { ObjectRule } from './rule.js'

/** Decimals of a figure, the type of amounts of items. */
const FIGURE = 10

type Transaction = Readable<TypeOf<typeof transaction>>
/** Subtracts the amount of each item from the sum; false if one of them cannot be read. */
const subtractAll = <A>(
  items: ReadList<A>,
  amountOf: (item: A) => SentDecimal | Failed | undefined,
  sum: DecimalSum,
): boolean => {
  for (const item of itemsOf(items)) {
    const amount = item === FAILED ? FAILED : amountOf(item)
    if (!isRead(amount)) return false
    sum.subtract(amount)
  }
  return items !== FAILED
}

/** Adds amount - (line items + taxes) to the sum; false if one of them cannot be read. */
const addDifference = ({ amount, line_items, tax_items }: Transaction, sum: DecimalSum): boolean => {
  if (!isRead(amount)) return false
  sum.add(amount)
  return (
    subtractAll(line_items, (item) => item.net_amount, sum) &&
    subtractAll(tax_items, (item) => item.amount, sum)
  )
}

/** Whether there are line items, and the amount differs from the sum of these and the taxes by 0.01 or more. */
const amountDiffers = (item: Transaction): boolean => {
  if (!isRead(item.line_items) || item.line_items.length === 0) return false
  const exact = new DecimalSum(FIGURE)
  return addDifference(item, exact) && exact.isCentOrMore
}

/** The amount of a transaction with line items is the sum of these and its taxes. */
export const transactionAmount: ObjectRule<Transaction> = (transaction, at, findings) => {
  if (amountDiffers(transaction))
    findings.add(
      'ledger_transaction_amount_does_not_match_with_line_item_net_amount_and_tax_amount',
      at,
      'amount',
    )
}
