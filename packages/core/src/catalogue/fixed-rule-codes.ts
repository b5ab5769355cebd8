import { fieldError, fixedWarning, type CatalogueEntry } from './entry.js'

/** Rules whose severity is the same whatever the supplier's settings say. */
export const fixedRuleCodes = {
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
    'The text held a card number; only its last four digits were kept. Remove card numbers before you send notes.',
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
