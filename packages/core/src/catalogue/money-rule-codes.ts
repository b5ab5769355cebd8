import { changeableWarning, type CatalogueEntry } from './entry.js'

/** Changeable rules over balances, transactions and their items. */
export const moneyRuleCodes = {
  balance_mismatch_on_ledger_balance: changeableWarning(
    'The ledger balance is not the last statement balance plus the current transactions. Find the difference.',
  ),
  historical_statement_transactions_balance_mismatch: changeableWarning(
    'The last statement balance is not the sum of the historical transactions. Complete them or correct the balance.',
  ),
  historical_statement_transactions_require_last_statement_closing_date: changeableWarning(
    'Historical transactions need the closing date of the last statement. Add it.',
  ),
  current_statement_transaction_before_last_statement_closing_date: changeableWarning(
    'A current transaction should be dated after the last closing date. Move it to the historical ones or correct the date.',
  ),
  historical_statement_transaction_after_last_statement_closing_date: changeableWarning(
    'A historical transaction should not be dated after the last closing date. Move it to the current ones or correct the date.',
  ),
  transaction_reason_missing: changeableWarning('Charges and credits should carry a reason. Add one.'),
  non_positive_payment_amount: changeableWarning(
    'Payments and repayments should have an amount above zero. Check sign and type.',
  ),
  ledger_transaction_amount_does_not_match_with_line_item_net_amount_and_tax_amount: changeableWarning(
    'The amount is not the sum of the line items and taxes. Correct one of them.',
  ),
  incorrect_line_item_net_amount: changeableWarning(
    'The net amount is not units times price. Correct one of the three.',
  ),
  incorrect_billable_item_net_amount: changeableWarning(
    'The net amount of the item is not units times price. Correct one of the three.',
  ),
  line_item_units_must_be_two_values: changeableWarning('Give two register values: opening and closing.'),
} satisfies Record<string, CatalogueEntry>
