import type { TypeOf } from 'io-ts'
import { FAILED } from '../codec/failed.js'
import type { lineItem } from '../payloads/line-item.js'
import type { transaction } from '../payloads/transaction.js'
import { allOf, each, within } from './combine.js'
import { endNotBeforeStart } from './dates.js'
import { lineItemNetAmount } from './net-amounts.js'
import { isRead, type Readable } from './readable.js'
import type { ObjectRule } from './rule.js'
import { transactionAmount } from './transaction-amount.js'

type LineItem = Readable<TypeOf<typeof lineItem>>
type Transaction = Readable<TypeOf<typeof transaction>>

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

const lineItems = each<LineItem>(endNotBeforeStart('start_date', 'end_date'), lineItemNetAmount)

/** The rules over one transaction, in an account or in a request to add it. */
export const transactionRules = allOf<Transaction>(
  supplyCharge,
  reasonGiven,
  positivePayment,
  transactionAmount,
  within('line_items', lineItems),
)
