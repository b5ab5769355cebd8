import { chance } from '../random.js'
import { changed, repeated, replaced, written, type Fault } from './fault.js'
import { at, copyOf, listAt, push, set, type Json } from './json.js'

type Change = readonly [pattern: string, change: Parameters<typeof changed>[3]]

const movedIn = 'customer_at_supply_address_from_date'

/** Adds an address without supply, which has a warning of its own. */
const addAddress = (account: Json, supply_address: Json): string =>
  push(account, 'supply_addresses', { supply_address, [movedIn]: '2024-01-01', supply_points: [] })

const fields: readonly Fault[] = [
  replaced('customers.family', 'invalid_choice', 'account_type', 'RESIDENTIAL'),
  replaced('customers.family', 'blank', 'account_type', ''),
  replaced('billing', 'null_characters_not_allowed', 'billing_name', 'Nombre\u0000'),
  replaced('billing', 'surrogate_characters_not_allowed', 'billing_address1', 'Calle \ud83d'),
  replaced('billing', 'max_length', 'billing_address4', 'x'.repeat(513)),
  replaced('billing', 'invalid', 'billing_postcode', 46_001),
  replaced('sales', 'null', 'sales_subchannel', null),
  written('unknown', 'unknown_field', 'supply_addresses.0', { building: 'Norte' }),
  replaced('metadata', 'not_a_dict', 'metadata.*.value', 'B2'),
  replaced('metadata', 'max_digits', 'metadata.*.value.segment', 9_007_199_254_740_992),
  repeated('metadata', 'metadata_has_duplicate_keys', 'metadata', 'key'),
  replaced('references', 'max_length', 'references.*.namespace', 'n'.repeat(51)),
  replaced('references', 'required', 'references.*.value'),
  repeated('references', 'duplicate_references', 'references', 'value'),
]

/** Only an account whose occupier is unknown may have no customers. */
const occupied = (zone: string, code: Fault['code'], ...[pattern, change]: Change): Fault =>
  changed(zone, code, pattern, (account, path) =>
    at(account, 'unknown_occupier') === false ? change(account, path) : undefined,
  )

const customers: readonly Fault[] = [
  occupied('customers', 'required', 'customers', (account, path) => set(account, path, undefined)),
  occupied('customers', 'empty', 'customers', (account, path) => set(account, path, [])),
  occupied('customers', 'customer_with_unknown_occupier', 'customers', (account, path) => {
    if (listAt(account, 'supply_addresses').length > 1) return undefined
    set(account, 'unknown_occupier', true)
    return path
  }),
  occupied('customers', 'required_user_role', 'customers', (account, path) => {
    for (const index of listAt(account, path).keys()) set(account, `${path}.${index}.account_roles`, [])
    return path
  }),
  changed('customers.family', 'customer_family_name_required', 'customers.*.family_name', (account, path) =>
    at(account, 'account_type') === 'DOMESTIC'
      ? set(account, path, chance(0.5) ? undefined : '  ')
      : undefined,
  ),
  replaced('customers.given', 'wrongly_decoded_text', 'customers.*.given_name', 'BegoÃ±a'),
  replaced('customers.given', 'missing_value_as_text', 'customers.*.given_name', 'undefined Molina'),
  written('customers.unknown', 'unknown_field', 'customers.*', { fax: '960000124' }),
  replaced('customers.email', 'invalid', 'customers.*.email', 'lucia@'),
  replaced('customers.email', 'possible_test_email_address', 'customers.*.email', 'test@example.com'),
  replaced('customers.mobile', 'invalid_phone_number', 'customers.*.mobile', 'no tiene'),
  replaced('customers.mobile', 'doubtful_phone_number', 'customers.*.mobile', '960-00-01-23'),
  replaced('customers.landline', 'invalid_phone_number', 'customers.*.landline', '600000123 ext 4'),
  replaced('customers.details', 'invalid_fiscal_code', 'customers.*.user_details.0.value', '54362315Z'),
  repeated('customers.details', 'duplicate_user_details', 'customers.*.user_details', 'namespace'),
  replaced('customers.roles', 'not_a_list', 'customers.*.account_roles', 'ACCOUNT_HOLDER'),
]

const address = 'supply_addresses.0.supply_address'
const since = `supply_addresses.0.${movedIn}`
const WITHOUT_SUPPLY = 'supply_address_without_supply_points'
const MANY_OF_OCCUPIER = 'occupier_account_with_multiple_supply_addresses'

const garage = { locality: 'Valencia', postal_code: '46001', country: 'ES' }

const addresses: readonly Fault[] = [
  occupied('supply.address', 'duplicate_supply_addresses_found', address, (account, path) => {
    const entry = addAddress(account, copyOf(at(account, path)))
    return [
      [`${entry}.supply_address`, 'duplicate_supply_addresses_found'],
      [`${entry}.supply_points`, WITHOUT_SUPPLY],
    ]
  }),
  occupied(
    'supply.address',
    WITHOUT_SUPPLY,
    address,
    (account) => `${addAddress(account, garage)}.supply_points`,
  ),
  changed('supply.address', MANY_OF_OCCUPIER, address, (account) => {
    // Another fault may have made it vacant.
    if (at(account, 'unknown_occupier') !== true || at(account, 'customers') !== undefined) return undefined
    const entry = addAddress(account, garage)
    return [
      ['supply_addresses', MANY_OF_OCCUPIER],
      [`${entry}.supply_points`, WITHOUT_SUPPLY],
    ]
  }),
  replaced('supply.address', 'invalid_postcode', `${address}.postal_code`, '4600'),
  replaced('supply', 'invalid_choice', `${address}.country`, 'es'),
  replaced('supply.from', 'invalid', since, '2023-02-29'),
  replaced('supply.from', 'datetime', since, '2023-06-01T00:00:00Z'),
  replaced('supply.from', 'min_value', since, '0023-06-01'),
]

/** The note or document, pinning and days of a note. */
const notes: readonly Fault[] = [
  changed('notes', 'note_body_or_document_path_not_found', 'notes.*', (account, path) => {
    set(account, `${path}.document_paths`, undefined)
    set(account, `${path}.body`, ' ')
    return path
  }),
  written('notes', 'note_unpin_at_earlier_than_creation_date', 'notes.*', {
    unpin_at: '2001-01-01T00:00:00Z',
    is_pinned: true,
  }),
  written('notes', 'unpin_at_without_is_pinned', 'notes.*', {
    unpin_at: '2999-01-01T00:00:00Z',
    is_pinned: undefined,
  }),
  written('notes', 'date_in_future', 'notes.*', { created_at: '2999-01-01T00:00:00Z', unpin_at: undefined }),
  replaced('notes', 'date', 'notes.*.created_at', '2024-11-05'),
  replaced(
    'notes',
    'document_path_outside_root',
    'notes.*.document_paths.*.document_path',
    '../contrato.pdf',
  ),
  replaced('notes', 'card_number_masked', 'notes.*.body', 'Paga con 4242 4242 4242 4242.'),
  replaced('notes', 'not_a_list', 'notes', { body: 'Contrato firmado.' }),
]

/** A collection of a fixed amount; a fault replaces one field. */
const fixed = { trigger: 'REGULAR', amount: 30, frequency: 'MONTHLY', day_of_month: 5 }

const schedule = (code: Fault['code'], field: string, value?: Json): Fault =>
  written('schedules', code, 'payment_schedules.last', { [field]: value, ...fixed, [field]: value })

const schedules: readonly Fault[] = [
  schedule('fixed_payment_schedule_missing_frequency', 'frequency'),
  schedule('fixed_payment_schedule_missing_day_of_month', 'day_of_month'),
  schedule('zero_payment_schedule_amount', 'amount'),
  schedule('zero_payment_schedule_amount', 'amount', '0.00'),
  schedule('invalid_payment_day_for_payment_schedule', 'day_of_month', 31),
  schedule('max_value', 'day_of_month', 32),
  schedule('min_value', 'amount', -5),
  schedule('max_whole_digits', 'amount', 123_456_789),
  schedule('start_date_later_than_end_date', 'end_date', '2001-01-01'),
  changed(
    'schedules',
    'payment_schedule_date_overlaps',
    'payment_schedules.1.start_date',
    (account, path) => {
      set(account, 'payment_schedules.0.end_date', undefined)
      return path
    },
  ),
]

/** Faults of an account outside its supply points, ledgers and statements. */
export const customerFaults: readonly Fault[] = [
  ...fields,
  ...customers,
  ...addresses,
  ...notes,
  ...schedules,
]
