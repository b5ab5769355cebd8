import { at, copyOf, listAt, set } from './json.js'
import { dropped, found, replaced, type Fault } from './fault.js'

const tooLong = 'x'.repeat(513)

/** Faults in the fields of the account itself. */
export const accountFaults: readonly Fault[] = [
  replaced('customers.family', 'account_type', 'RESIDENTIAL', 'invalid_choice'),
  replaced('customers.family', 'account_type', '', 'blank'),
  replaced('billing', 'billing_name', 'Nombre\u0000', 'null_characters_not_allowed'),
  replaced('billing', 'billing_address1', 'Calle \ud83d', 'surrogate_characters_not_allowed'),
  replaced('billing', 'billing_address4', tooLong, 'max_length'),
  replaced('billing', 'billing_postcode', 46_001, 'invalid'),
  replaced('sales', 'sales_channel', ' ', 'blank'),
  replaced('sales', 'sales_subchannel', null, 'null'),
  replaced('communication', 'communication_preference', 'EMAIL', 'invalid_choice'),
  found('unknown', 'unknown_field', (account) => {
    set(account, 'billing_adress1', 'Calle Mayor 1')
    return 'billing_adress1'
  }),
  replaced('metadata', 'metadata.*.value', 'B2', 'not_a_dict'),
  replaced('metadata', 'metadata.*.key', '', 'blank'),
  replaced('metadata', 'metadata.*.value.segment', 9_007_199_254_740_992, 'max_digits'),
  found('metadata', 'metadata_has_duplicate_keys', (account) => {
    const items = listAt(account, 'metadata')
    items.push({ key: at(account, 'metadata.0.key') ?? null, value: {} })
    return `metadata.${items.length - 1}.key`
  }),
  replaced('references', 'references.*.namespace', 'n'.repeat(51), 'max_length'),
  replaced('references', 'references.*.value', 558_201, 'invalid'),
  dropped('references', 'references.*.value'),
  found('references', 'duplicate_references', (account) => {
    const items = listAt(account, 'references')
    items.push(copyOf(items[0]))
    return `references.${items.length - 1}.value`
  }),
]
