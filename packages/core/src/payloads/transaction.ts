import { choice, code, date, key, list, money, optional, required, struct, text } from '../codec/index.js'
import { lineItem } from './line-item.js'
import { taxItem } from './tax-item.js'

const transactionTypes = ['CHARGE', 'CREDIT', 'PAYMENT', 'REPAYMENT', 'SUPPLY_CHARGE'] as const

/** A movement on a ledger. The sign of `amount` is as sent; the type says which way it counts. */
export const transaction = struct('transaction', {
  transaction_id: required(key(255)),
  transaction_date: required(date),
  amount: required(money),
  type: required(choice(transactionTypes)),
  reason: optional(code(128, 'reason')),
  reference: optional(text(255)),
  payment_type: optional(code(64, 'payment_type')),
  display_note: optional(text(65_536)),
  note: optional(text(65_536)),
  product_code: optional(code(255, 'product_code')),
  line_items: optional(list(lineItem)),
  tax_items: optional(list(taxItem)),
})
