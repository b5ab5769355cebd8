import { changeableWarning, type CatalogueEntry } from './entry.js'

/** Changeable rules over presence, duplicates, dates, agreements and payment schedules of an account. */
export const accountRuleCodes = {
  required_user_role: changeableWarning(
    'No customer is marked as ACCOUNT_HOLDER. Give one of them that role.',
  ),
  occupier_account_with_multiple_supply_addresses: changeableWarning(
    'An account with an unknown occupier should have one supply address. Split the others off.',
  ),
  duplicate_supply_addresses_found: changeableWarning(
    'This address appears earlier. Put its supply points under one entry.',
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
