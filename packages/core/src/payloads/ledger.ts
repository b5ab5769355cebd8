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
  table,
  text,
} from '../codec/index.js'

const registerValues = refine(
  list(quantity),
  'line_item_units_must_be_two_values',
  (values) => values.length === 2,
)

/** One billed item of a supply charge. Both days are inclusive; `units`: opening and closing register value. */
export const lineItem = table('line item', {
  rate_band: optional(code(128, 'rate_band')),
  start_date: required(date),
  end_date: required(date),
  number_of_units: required(quantity),
  net_amount: required(figure),
  price_per_unit: optional(price),
  units: optional(registerValues),
})(`
  rate_band: Price band or kind of the charge, in the words of the platform. Example: "CONSUMPTION_STANDARD"
  start_date: First day that the line bills. Example: "2025-04-01"
  end_date: Last day that the line bills, itself included. Example: "2025-04-30"
  number_of_units: Quantity that is billed, in the unit of the price. No unit is defined: in the samples it is kWh for consumption and days for standing charges. Example: 200
  net_amount: Euros of the line before tax: number_of_units times price_per_unit, positive for a charge. All lines and taxes make up the amount of the transaction. Example: 12.5
  price_per_unit: Euros for one unit, before tax. Example: 0.0625
  units: Opening and closing value of the meter's register. Their unit is the register's own. Example: [10963, 11163]
`)

/** A tax on a transaction. A `rate` of 0.21 is 21 % with unit type PROPORTION. */
const taxItem = table('tax item', {
  amount: required(figure),
  tax_type: required(code(64, 'tax_type')),
  value_taxed: required(figure),
  rate: required(figure),
  unit_type: required(code(64, 'tax_unit_type')),
})(`
  amount: Euros of tax, positive for a tax on a charge. It is part of the amount of the transaction. Example: 4.2
  tax_type: Name of the tax, in the words of the platform. Example: "VAT"
  value_taxed: Value that the tax is taken from: euros for PROPORTION. Its unit for CURRENCY_PER_KWH is not defined. Example: 20
  rate: Rate of the tax, by its unit_type: 0.21 is 21 % for PROPORTION, and euros for a kWh for CURRENCY_PER_KWH. Example: 0.21
  unit_type: Unit of rate. Example: "PROPORTION"
`)

const transactionTypes = ['CHARGE', 'CREDIT', 'PAYMENT', 'REPAYMENT', 'SUPPLY_CHARGE'] as const

/** Meanings of the fields that every transaction has. */
export const transactionMeanings = `
  transaction_id: Identifier of the transaction in the old system; no two transactions of an account share one. Example: "LEV-G-T-0004"
  transaction_date: Day of the transaction, never in the future. With the closing date of the ledger it decides whether the transaction is current or historical. Example: "2025-04-10"
  amount: Euros, tax included, mostly positive: type says which way they count. PAYMENT and CREDIT add them to the balance; CHARGE, SUPPLY_CHARGE and REPAYMENT take them off. Example: 32.07
  type: Kind of transaction, which says whether the amount is in the customer's favour (PAYMENT, CREDIT) or not (CHARGE, SUPPLY_CHARGE, REPAYMENT). Example: "PAYMENT"
  reason: Cause of the transaction, in the words of the platform; charges and credits have one. Example: "ACCOUNT_CHARGE_PAYMENT"
  reference: Identifier that the bank or the payment system gave to a payment. Example: "DD-2025-04-000123"
  payment_type: Way in which a payment or repayment was made. Example: "DD_REGULAR_COLLECTION"
  display_note: Text about the transaction that the customer sees. Example: "Abono por incidencia"
  note: Text about the transaction for staff alone. Example: "Acordado por teléfono"
  product_code: Code of the product that is billed, as the platform knows it; required for SUPPLY_CHARGE. Example: "GAS-HOGAR-2024"
  line_items: Lines of the charge; SUPPLY_CHARGE has at least one.
  tax_items: Taxes of the charge. Left out, there is no tax.
`

/** A movement on a ledger. The sign of `amount` is as sent; `type` determines its effect on the balance. */
export const transaction = table('transaction', {
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
})(transactionMeanings)

/** One running balance of the account, with its transactions. In balances credit is positive and debt negative. */
export const ledger = table('ledger', {
  ledger_code: required(code(128, 'ledger_code')),
  last_statement_balance: optional(money),
  last_statement_closing_date: optional(date),
  ledger_balance: optional(money),
  current_statement_transactions: optional(list(transaction)),
  historical_statement_transactions: optional(list(transaction)),
})(`
  ledger_code: Code of the ledger, as the platform knows it; an account has each once. Example: "SPAIN_GAS_LEDGER"
  last_statement_balance: Euros after the last bill, the sum of the historical transactions. Positive is credit of the customer, negative is debt: -32.07 is owed. Example: -32.07
  last_statement_closing_date: Last day of the last bill, itself included. Transactions up to this day are historical, later ones are current. Example: "2025-03-31"
  ledger_balance: Euros now: last_statement_balance with the current transactions. Positive is credit of the customer, negative is debt. Example: 6.5
  current_statement_transactions: Transactions that no bill has yet: those dated after last_statement_closing_date.
  historical_statement_transactions: Transactions that a bill has: those dated on or before last_statement_closing_date.
`)
