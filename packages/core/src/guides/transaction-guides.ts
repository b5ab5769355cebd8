import type { Guides } from '../catalogue/guide.js'
import { billableItemAt, ledgerPath, supplyPointPath, transactionPath, transactionsAt } from './paths.js'

const charge = { transaction_id: 'T-0006', transaction_date: '2025-05-12', amount: '3.50', type: 'CHARGE' }
const march = { start_date: '2025-03-01', end_date: '2025-03-31', number_of_units: 300, net_amount: 18.75 }
const supplyCharge = { type: 'SUPPLY_CHARGE', product_code: 'LUZ-2024', amount: 18.75 }
const vat = { tax_type: 'VAT', value_taxed: 18.75, rate: 0.21, unit_type: 'PROPORTION', amount: 3.94 }

/** What single transactions and billed items hold. */
export const transactionGuides = {
  transaction_reason_missing: {
    means: 'A charge or credit does not say what it is for.',
    causes: ['Manual bookings of the old system have free text only.'],
    fix: [
      'Map the booking types to reasons, for example IMPORTED_CHARGE and IMPORTED_CREDIT.',
      'The free text can go into note or display_note.',
    ],
    at: transactionsAt('reason'),
    example: {
      in: ledgerPath,
      bad: { current_statement_transactions: [charge] },
      good: { current_statement_transactions: [{ ...charge, reason: 'IMPORTED_CHARGE' }] },
    },
    related: ['non_positive_payment_amount'],
  },
  non_positive_payment_amount: {
    means:
      'A payment or repayment has the amount zero, or a negative one. The type already says which way it counts.',
    causes: ['The old ledger signs its amounts.', 'Returned payments were exported as negative payments.'],
    fix: ['Send the amount without its sign.', 'A payment that was returned to the customer is a REPAYMENT.'],
    at: transactionsAt('amount'),
    example: {
      in: transactionPath,
      bad: { type: 'PAYMENT', amount: '-25.00' },
      good: { type: 'PAYMENT', amount: '25.00' },
    },
    related: ['balance_mismatch_on_ledger_balance'],
  },
  ledger_transaction_amount_does_not_match_with_line_item_net_amount_and_tax_amount: {
    means:
      'The amount differs from the sum of the net amounts of the line items and the amounts of the tax items by a cent or more.',
    causes: [
      'The amount is net.',
      'A line of the bill, such as meter rental or a discount, was not exported.',
      'Each line was rounded by itself.',
    ],
    fix: [
      'Send the gross amount as billed.',
      'Export all lines and taxes, and let the rounding difference stand on one of them.',
    ],
    at: transactionsAt('amount'),
    example: {
      in: transactionPath,
      bad: { ...supplyCharge, line_items: [march], tax_items: [vat] },
      good: { ...supplyCharge, amount: 22.69, line_items: [march], tax_items: [vat] },
    },
    related: ['incorrect_line_item_net_amount'],
  },
  incorrect_line_item_net_amount: {
    means: 'The net amount of a line item differs from units times price by a cent or more.',
    causes: [
      'The price was rounded in the export: prices may have seven decimals.',
      'Units and price have different units, such as MWh and euros per kWh.',
    ],
    fix: [
      'Send the price with all its decimals.',
      'Or leave price_per_unit out if the price changed within the line.',
    ],
    at: transactionsAt('line_items.N.net_amount'),
    example: {
      in: transactionPath,
      bad: { ...supplyCharge, line_items: [{ ...march, price_per_unit: 0.06 }] },
      good: { ...supplyCharge, line_items: [{ ...march, price_per_unit: 0.0625 }] },
    },
    related: ['incorrect_billable_item_net_amount', 'max_decimal_places'],
  },
  incorrect_billable_item_net_amount: {
    means: 'The net amount of a billable item differs from units times price by a cent or more.',
    causes: ['The price holds tax and the amount does not.', 'The price was rounded in the export.'],
    fix: ['Send net amount and net price, the price with all its decimals.', 'Or leave units and price out.'],
    at: [`${billableItemAt}.net_amount`],
    example: {
      in: `${supplyPointPath}.billable_items.0`,
      bad: { net_amount: 9.9, number_of_units: 1, price_per_unit: 11.98 },
      good: { net_amount: 9.9, number_of_units: 1, price_per_unit: 9.9 },
    },
    related: ['incorrect_line_item_net_amount'],
  },
  line_item_units_must_be_two_values: {
    means: 'units holds the opening and the closing register value, and so has exactly two values.',
    causes: [
      'The consumption was put into units; it belongs into number_of_units.',
      'Intermediate readings were exported too.',
    ],
    fix: [
      'Send the first and the last register value of the line.',
      'Leave units out if they are not known.',
    ],
    at: transactionsAt('line_items.N.units'),
    example: {
      in: transactionPath,
      bad: { ...supplyCharge, line_items: [{ ...march, units: [300] }] },
      good: { ...supplyCharge, line_items: [{ ...march, units: [10663, 10963] }] },
    },
    related: ['incorrect_line_item_net_amount'],
  },
} satisfies Guides
