import {
  choice,
  code,
  date,
  figure,
  key,
  list,
  money,
  optional,
  price,
  quantity,
  refine,
  required,
  struct,
  text,
} from '../codec/index.js'

const registerValues = refine(
  list(quantity),
  'line_item_units_must_be_two_values',
  (values) => values.length === 2,
)

/** One thing that a supply charge bills. Both days are inclusive; `units`: opening and closing register value. */
export const lineItem = struct('line item', {
  rate_band: optional(code(128, 'rate_band')),
  start_date: required(date),
  end_date: required(date),
  number_of_units: required(quantity),
  net_amount: required(figure),
  price_per_unit: optional(price),
  units: optional(registerValues),
})

/** A tax on a transaction. A `rate` of 0.21 is 21 % with unit type PROPORTION. */
const taxItem = struct('tax item', {
  amount: required(figure),
  tax_type: required(code(64, 'tax_type')),
  value_taxed: required(figure),
  rate: required(figure),
  unit_type: required(code(64, 'tax_unit_type')),
})

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

/** One running balance of the account, with its transactions. In balances credit is positive and debt negative. */
export const ledger = struct('ledger', {
  ledger_code: required(code(128, 'ledger_code')),
  last_statement_balance: optional(money),
  last_statement_closing_date: optional(date),
  ledger_balance: optional(money),
  current_statement_transactions: optional(list(transaction)),
  historical_statement_transactions: optional(list(transaction)),
})
