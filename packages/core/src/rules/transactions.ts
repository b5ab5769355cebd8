import type { TypeOf } from 'io-ts'
import { FAILED, type Failed } from '../codec/codec.js'
import type { lineItem, transaction } from '../payloads/ledger.js'
import type { TransactionsRequest } from '../payloads/requests.js'
import { DecimalSum, type SentDecimal } from '../values/decimal.js'
import { allOf, each, endNotBeforeStart, netAmount, within } from './building-blocks.js'
import {
  below,
  isRead,
  itemsOf,
  type ObjectRule,
  type Readable,
  type ReadList,
  type RuleFindings,
} from './rule.js'

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
const transactionAmount: ObjectRule<Transaction> = (transaction, at, findings) => {
  if (amountDiffers(transaction))
    findings.add(
      'ledger_transaction_amount_does_not_match_with_line_item_net_amount_and_tax_amount',
      at,
      'amount',
    )
}

const supplyCharge: ObjectRule<Transaction> = ({ line_items, product_code, type }, at, findings) => {
  if (type !== 'SUPPLY_CHARGE') return
  if (product_code === undefined) findings.add('required', at, 'product_code')
  if (line_items === undefined) findings.add('required', at, 'line_items')
  else if (line_items !== FAILED && line_items.length === 0) findings.add('empty', at, 'line_items')
}

const reasonGiven: ObjectRule<Transaction> = ({ reason, type }, at, findings) => {
  if ((type === 'CHARGE' || type === 'CREDIT') && reason === undefined)
    findings.add('transaction_reason_missing', at, 'reason')
}

const positivePayment: ObjectRule<Transaction> = ({ amount, type }, at, findings) => {
  // Number() may round the amount, but keeps its sign.
  if ((type === 'PAYMENT' || type === 'REPAYMENT') && isRead(amount) && Number(amount) <= 0)
    findings.add('non_positive_payment_amount', at, 'amount')
}

const lineItems = each<Readable<TypeOf<typeof lineItem>>>(
  endNotBeforeStart('start_date', 'end_date'),
  netAmount('incorrect_line_item_net_amount'),
)

/** The rules over one transaction, in an account or in a request to add it. */
export const transactionRules = allOf<Transaction>(
  supplyCharge,
  reasonGiven,
  positivePayment,
  transactionAmount,
  within('line_items', lineItems),
)

const at = below(undefined, 'transactions')
const transactions = each(transactionRules)

/**
 * Validates each transaction by itself. Repeated ids and dates in the future are no errors here: what they mean depends
 * on the account that the transactions are added to.
 */
export const transactionsRequestRules = (
  request: Readable<TransactionsRequest>,
  findings: RuleFindings,
): void => transactions(request.transactions, at, findings)
