import { tables } from './tables.js'

/**
 * What of the rows of an account tells of a person, by table: texts that nobody searches, sorts or adds up. What is left is
 * numbers and codes, days, amounts and places in lists.
 */
export const personalColumns: ReadonlyMap<string, readonly string[]> = new Map([
  [
    tables.accounts,
    [
      'billing_name',
      'billing_address1',
      'billing_address2',
      'billing_address3',
      'billing_address4',
      'billing_address5',
      'billing_postcode',
      'sales_subchannel',
    ],
  ],
  [tables.customers, ['user_details', 'given_name', 'family_name', 'email', 'mobile', 'landline']],
  [
    tables.supplyAddresses,
    [
      'locality',
      'administrative_area',
      'postal_code',
      'street_type',
      'street_name',
      'street_number',
      'door',
      'floor',
      'gate',
      'stair',
      'block',
      'address_extra_info',
    ],
  ],
  [tables.supplyPoints, ['identifier', 'distributor_ree_code', 'atr_tariffs', 'readings', 'billable_items']],
  [
    tables.agreements,
    [
      'tariff_code',
      'cnae',
      'contractual_max_power',
      'annual_consumption',
      'social_bonus_identifier',
      'atr_type',
    ],
  ],
  [
    tables.transactions,
    [
      'reason',
      'reference',
      'payment_type',
      'display_note',
      'note',
      'product_code',
      'line_items',
      'tax_items',
    ],
  ],
  [tables.statements, ['statement_path', 'number']],
  [tables.notes, ['body', 'document_paths', 'content_digest']],
  [tables.paymentInstructions, ['reference', 'details']],
  [tables.accountReferences, ['value']],
  [tables.accountMetadata, ['metadata_key', 'value']],
])

/** Of these, those by which rows are found, or known to be there: a fingerprint stands in their place. */
export const foundByColumns: ReadonlySet<string> = new Set([
  `${tables.notes}.content_digest`,
  `${tables.paymentInstructions}.reference`,
])
