import type { TypeOf } from 'io-ts'
import { FAILED } from '../codec/failed.js'
import type { lineItem } from '../payloads/line-item.js'
import type { transaction } from '../payloads/transaction.js'
import { toDouble } from '../values/rough-sum.js'
import { allOf, eachUnless, within, type InOrder } from './combine.js'
import { areInOrder, endNotBeforeStart, isPast } from './dates.js'
import { lineItemNetAmount, netAmountDiffers } from './net-amounts.js'
import { isRead, type Readable } from './readable.js'
import type { ObjectRule } from './rule.js'
import { amountSurelyAgrees, transactionAmount } from './transaction-amount.js'

type LineItem = Readable<TypeOf<typeof lineItem>>
type Transaction = Readable<TypeOf<typeof transaction>>

const supplyCharge: ObjectRule<Transaction> = ({ line_items, product_code, type }, at, report) => {
  if (type !== 'SUPPLY_CHARGE') return
  if (product_code === undefined) report.add('required', at, 'product_code')
  if (line_items === undefined) report.add('required', at, 'line_items')
  else if (line_items !== FAILED && line_items.length === 0) report.add('empty', at, 'line_items')
}

const isSupplyChargeInOrder = ({ line_items, product_code, type }: Transaction): boolean =>
  type !== 'SUPPLY_CHARGE' || (product_code !== undefined && isRead(line_items) && line_items.length > 0)

const lacksReason = ({ reason, type }: Transaction): boolean =>
  (type === 'CHARGE' || type === 'CREDIT') && reason === undefined

const reasonGiven: ObjectRule<Transaction> = (item, at, report) => {
  if (lacksReason(item)) report.add('transaction_reason_missing', at, 'reason')
}

const isPaymentOfNothing = ({ amount, type }: Transaction): boolean =>
  // The sign of a double is that of the decimal.
  (type === 'PAYMENT' || type === 'REPAYMENT') && toDouble(amount) <= 0

const positivePayment: ObjectRule<Transaction> = (item, at, report) => {
  if (isPaymentOfNothing(item)) report.add('non_positive_payment_amount', at, 'amount')
}

const isLineItemInOrder = (item: LineItem): boolean =>
  areInOrder(item.start_date, item.end_date) && !netAmountDiffers(item)

const lineItems = eachUnless<LineItem>(
  isLineItemInOrder,
  endNotBeforeStart('start_date', 'end_date'),
  lineItemNetAmount,
)

const areAmountsInOrder = (transaction: Transaction): boolean => {
  const { line_items } = transaction
  if (line_items === undefined) return true
  if (line_items === FAILED) return false
  for (const item of line_items) if (item === FAILED || !isLineItemInOrder(item)) return false
  return amountSurelyAgrees(transaction)
}

/** Sections 7.1 and 7.3, A and T: all that is judged within one transaction. */
export const transactionRules = allOf<Transaction>(
  supplyCharge,
  reasonGiven,
  positivePayment,
  transactionAmount,
  within('line_items', lineItems),
)

/** Whether none of the rules, and not the one on the day of a transaction, has anything to say. */
export const isTransactionInOrder: InOrder<Transaction> = (item, context) =>
  isPast(item.transaction_date, context) &&
  isSupplyChargeInOrder(item) &&
  !lacksReason(item) &&
  !isPaymentOfNothing(item) &&
  areAmountsInOrder(item)
