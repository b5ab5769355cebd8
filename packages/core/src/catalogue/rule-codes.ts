import { type CatalogueEntry, changeableWarning, fieldError, fixedWarning } from './entry.js'

/** Changeable rules over presence, duplicates, dates, agreements and payment schedules of an account. */
const accountRuleCodes = {
  required_user_role: changeableWarning(
    'No customer is marked as ACCOUNT_HOLDER. Give one of them that role.',
  ),
  occupier_account_with_multiple_supply_addresses: changeableWarning(
    'An account with an unknown occupier should have one supply address. Split the others off.',
  ),
  duplicate_supply_addresses_found: changeableWarning(
    'This address appears earlier. Put its supply points under one entry.',
  ),
  account_without_supply_points: changeableWarning(
    'The account has no supply point, so nothing can be billed. Add its supply points, or check why none was found.',
  ),
  supply_address_without_supply_points: changeableWarning(
    'This address has no supply point. Add one, or leave the address out.',
  ),
  unpin_at_without_is_pinned: changeableWarning(
    'The note is not pinned, so the time for unpinning has no effect. Pin it or leave the time out.',
  ),
  future_supply_start_date: changeableWarning('The supply starts in the future. Check the date.'),
  historical_statement_period_end_in_future: changeableWarning(
    'The billed period ends in the future. Check the date.',
  ),
  date_in_future: changeableWarning('This date lies in the future. Check it.'),
  gap_in_agreement_dates: changeableWarning(
    'Days between this agreement and the one before it are not covered. Close the gap if there was supply.',
  ),
  start_date_same_as_end_date: changeableWarning(
    'Start and end are the same, so nothing is covered. Correct one, or remove the entry.',
  ),
  agreement_start_date_before_supply_start_date: changeableWarning(
    'The agreement begins before the supply does. Correct one of the two dates.',
  ),
  supply_point_with_no_agreement: changeableWarning(
    'This supply point has no agreement and cannot be billed. Add one.',
  ),
  no_agreement_covering_last_billed_to_date: changeableWarning(
    'No agreement covers the last billed day. Correct the day or the agreements.',
  ),
  last_billed_to_date_before_supply_start_date: changeableWarning(
    'The last billed day lies before the start of supply. If nothing was billed yet, give the start date.',
  ),
  reading_intervals_overlap: changeableWarning(
    'This interval overlaps another reading of the same meter. Correct one of them.',
  ),
  readings_indicate_negative_consumption: changeableWarning(
    'The consumption is negative. Check the reading.',
  ),
  invalid_annual_consumption: changeableWarning(
    'The yearly consumption should be a plain number that is not negative. Correct it.',
  ),
  payment_schedule_date_overlaps: changeableWarning(
    'This schedule begins before an earlier one has ended. Give the earlier one an end date.',
  ),
  fixed_payment_schedule_missing_frequency: changeableWarning(
    'A regular schedule should say how often it collects. Add the frequency.',
  ),
  fixed_payment_schedule_missing_day_of_month: changeableWarning(
    'A regular schedule should say on which day it collects. Add the day.',
  ),
  zero_payment_schedule_amount: changeableWarning(
    'A regular schedule should have an amount above zero. Add it.',
  ),
  invalid_payment_day_for_payment_schedule: changeableWarning('Not every month has this day. Use 1 to 28.'),
} satisfies Record<string, CatalogueEntry>

/** Changeable rules over balances, transactions and their items. */
const moneyRuleCodes = {
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
  negative_credit: changeableWarning(
    'A credit with an amount below zero lowers the balance. Check sign and type: a charge has an amount above zero.',
  ),
  negative_charge: changeableWarning(
    'A charge with an amount below zero raises the balance. Check sign and type: a credit has an amount above zero.',
  ),
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

/** Rules whose severity the supplier's settings cannot change. */
const fixedRuleCodes = {
  invalid_phone_number: fieldError(
    'This cannot be a phone number. Give a national number, or + and the country code.',
  ),
  document_path_outside_root: fieldError(
    'The document path must stay inside the supplier\'s document root. Give a relative path without ".." segments.',
  ),
  contractual_max_power_needs_six_values: fieldError('Give exactly six power values, one for each period.'),
  customer_with_unknown_occupier: fieldError(
    'An account with an unknown occupier cannot have customers. Remove one of the two.',
  ),
  customer_family_name_required: fieldError('A customer of a domestic account needs a family name. Add it.'),
  note_body_or_document_path_not_found: fieldError(
    'The note is empty. Give a body, document paths, or both.',
  ),
  card_number_not_allowed: fieldError(
    "This is a card number. Never send one; give the payment vendor's own reference for the instruction.",
  ),
  card_number_masked: fixedWarning(
    'The text contained a card number; only its last four digits were kept. Remove card numbers before you send notes.',
  ),
  note_unpin_at_earlier_than_creation_date: fieldError(
    'The note would be unpinned before it exists. Correct one of the two times.',
  ),
  start_date_later_than_end_date: fieldError('The end lies before the start. Correct one of the two.'),
  transaction_in_future: fieldError('The transaction date lies in the future. Correct it.'),
  agreement_dates_overlap: fieldError(
    'This agreement starts before an earlier one ends. Correct the dates; the end date is the first day not covered.',
  ),
  duplicate_supply_points_found: fieldError(
    'The same supply point appears earlier in this payload. Keep one.',
  ),
  duplicate_transaction_ids: fieldError(
    'The same transaction id appears earlier in this payload. Remove the repeat or correct the id.',
  ),
  duplicate_ledger_entries_found: fieldError(
    'The same ledger code appears earlier in this payload. Merge the two ledgers.',
  ),
  duplicate_statement_ids: fieldError(
    'The same statement id appears earlier in this payload. Remove the repeat or correct the id.',
  ),
  duplicate_atr_tariff_dates: fieldError(
    'Two access tariffs of this supply point begin on the same day. Keep one.',
  ),
  duplicate_user_details: fieldError('The customer has this detail twice. Keep one.'),
  metadata_has_duplicate_keys: fieldError('The same metadata key appears earlier in this list. Keep one.'),
  duplicate_references: fieldError('The same reference appears earlier in this list. Keep one.'),
} satisfies Record<string, CatalogueEntry>

/** Changeable checks of phone numbers and e-mail addresses, and of conversion faults in texts. */
const formatRuleCodes = {
  wrongly_decoded_text: changeableWarning(
    'This text was read in the wrong encoding, so some of its letters are wrong. Convert the file again in its own encoding.',
  ),
  missing_value_as_text: changeableWarning(
    'This text contains a placeholder of a program for a missing value. Leave the value out, or give the right one.',
  ),
  rewritten_identifier: changeableWarning(
    'A spreadsheet or a program seems to have rewritten this identifier. Take it from the old system again, as text.',
  ),
  line_break_in_text: changeableWarning(
    'This text has a line break. A quote that is not closed may have swallowed other rows of the export; correct the text.',
  ),
  possible_test_email_address: changeableWarning(
    'This looks like a test address. Give the real one, or leave it out.',
  ),
  internal_email_address: changeableWarning(
    "This address belongs to a domain marked as internal. Give the customer's own, or leave it out.",
  ),
  doubtful_phone_number: changeableWarning(
    'The number has the right length but no such number is in use for this field. Check it.',
  ),
} satisfies Record<string, CatalogueEntry>

/** The codes of the check that documents exist in the storage. */
const documentCheckCodes = {
  path_does_not_exist_in_file_store: changeableWarning(
    'No document was found at this path. Upload it or correct the path.',
    'off',
  ),
  document_check_not_possible: fixedWarning(
    'The document store did not answer, so the paths were not checked. Send the request again to check them.',
    'retry',
  ),
} satisfies Record<string, CatalogueEntry>

/** The faults of a value or a payload, in the order of the reference. */
export const ruleCodes = {
  ...fixedRuleCodes,
  ...accountRuleCodes,
  ...moneyRuleCodes,
  ...formatRuleCodes,
  ...documentCheckCodes,
}
