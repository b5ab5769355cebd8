import { changeableWarning, type CatalogueEntry } from './entry.js'

/** Changeable checks of phone numbers and e-mail addresses. */
export const formatRuleCodes = {
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
