import type { AccountDetails, SupplyPoint, Transaction } from '../domain/account-details.js'
import { toMoney } from '../values/decimal.js'
import { toTheSecond } from '../values/instant.js'
import { after } from './builders.js'

/** Types without fields. */
export type Leaf = string | number | boolean | bigint | symbol | null | undefined

/**
 * The same type with every field required, at any depth, and at least one member in every list: an incomplete value does not
 * compile. Fields of any type (`unknown`) are not changed.
 */
export type DeepRequired<T> = T extends Leaf
  ? T
  : T extends readonly (infer Member)[]
    ? readonly [DeepRequired<Member>, ...DeepRequired<Member>[]]
    : T extends object
      ? { readonly [Field in keyof T]-?: DeepRequired<Exclude<T[Field], undefined>> }
      : T

/** Text that a wrong column type would change: decomposed accents, four-byte characters, quotes, outer spaces. */
const awkward = ' Ñandú e\u0301 🔌 “\\” \' " \n\t% _ ;-- '

const everyTransactionField = (transaction_id: string): DeepRequired<Transaction> => ({
  transaction_id,
  transaction_date: '9999-12-31',
  amount: toMoney('9999999999.99'),
  type: 'SUPPLY_CHARGE',
  reason: 'IMPORTED_CHARGE',
  reference: awkward,
  payment_type: 'DIRECT_CREDIT',
  display_note: awkward,
  note: '🔌',
  product_code: '',
  line_items: [
    {
      rate_band: 'B',
      start_date: '2025-01-01',
      end_date: '2025-01-31',
      number_of_units: 0.1,
      net_amount: '0.1000',
      price_per_unit: 0.0369565,
      units: [1, '2.50'],
    },
  ],
  tax_items: [{ amount: 1.5, tax_type: 'VAT', value_taxed: '5.00', rate: 0.21, unit_type: 'PROPORTION' }],
})

const everySupplyPointField: DeepRequired<SupplyPoint> = {
  identifier: 'ES0021000012345678LB',
  distributor_ree_code: '0021',
  supply_type: 'ELECTRICITY',
  supply_start_date: '2024-02-29',
  last_billed_to_date: '9999-12-31',
  atr_tariffs: [
    { value: '3.0TD', valid_from: '2025-01-01' },
    { value: '2.0TD', valid_from: '2024-02-29' },
  ],
  agreements: [
    {
      tariff_code: 'B',
      effective_from: '2024-02-29',
      effective_to: '2025-01-01',
      cnae: '9820',
      contractual_max_power: [0, 1, 2, 3, 4, 999_999_999],
      annual_consumption: '0012.50',
      estimated_monthly_fee_in_cents: 9_999_999_999,
      social_bonus_identifier: '',
      atr_type: '01',
    },
    {
      tariff_code: 'A',
      effective_from: '2025-01-01',
      effective_to: '2026-01-01',
      cnae: '0111',
      contractual_max_power: [5],
      annual_consumption: '0',
      estimated_monthly_fee_in_cents: 0,
      social_bonus_identifier: awkward,
      atr_type: '06',
    },
  ],
  readings: [
    {
      meter_serial_number: 'M',
      interval_start: '2025-01-01T00:00:00Z',
      interval_end: '2025-02-01T00:00:00Z',
      consumption_delta: '1.500000',
      source: 9999,
    },
  ],
  billable_items: [
    {
      net_amount: -1.77,
      billable_item_type: 'M',
      interval_start: '2025-01-01',
      interval_end: '2025-01-31',
      number_of_units: 3,
      price_per_unit: '0.590',
      unit_type: 'PER_ITEM',
    },
  ],
}

/** Every field of every table of an account, with boundary values; a missing field does not compile. */
export const everyDetail: DeepRequired<AccountDetails> = {
  account_type: 'BUSINESS_OCCUPIER',
  customers: [
    {
      account_roles: ['ACCOUNT_HOLDER', 'X'],
      user_details: [
        { namespace: 'fiscal_code', value: awkward },
        { namespace: 'b', value: '2' },
      ],
      given_name: '',
      family_name: awkward,
      email: `${'a'.repeat(245)}@acme.es`,
      mobile: '+34 600 000 123',
      landline: '960000123',
    },
  ],
  supply_addresses: [
    {
      supply_address: {
        locality: awkward,
        administrative_area: '',
        postal_code: '08001',
        country: 'ES',
        structured_street_address: {
          street_type: 'CL',
          street_name: awkward,
          street_number: '1',
          door: 'A',
          floor: '2',
          gate: '3',
          stair: '4',
          block: '5',
          address_extra_info: '6',
        },
      },
      customer_at_supply_address_from_date: '1900-01-01',
      supply_points: [everySupplyPointField],
    },
  ],
  notes: [
    {
      body: awkward,
      document_paths: [{ document_path: 'b.pdf' }, { document_path: `a/${awkward}.pdf` }],
      created_at: toTheSecond(after(-1)),
      is_pinned: true,
      unpin_at: toTheSecond(after(1)),
    },
  ],
  ledgers: [
    {
      ledger_code: 'Z',
      last_statement_balance: toMoney('-9999999999.99'),
      last_statement_closing_date: '2025-01-31',
      ledger_balance: toMoney('0.00'),
      current_statement_transactions: [everyTransactionField('T-1')],
      historical_statement_transactions: [everyTransactionField('T-2')],
    },
  ],
  transactions_without_ledger: [everyTransactionField('T-4')],
  payment_schedules: [
    {
      means: 'DD',
      start_date: '2024-01-01',
      end_date: '2024-12-31',
      trigger: 'PLAN',
      amount: toMoney('99999999.99'),
      frequency: 'MONTHLY',
      day_of_month: 31,
    },
  ],
  statements: [
    {
      bill_period_from_date: '2024-02-01',
      bill_period_to_date: '2024-02-29',
      statement_path: 's/S-1.pdf',
      statement_id: 'S-1',
      supply_type: 'GAS',
      issued_date: '2024-03-05',
      number: awkward,
      gross_amount: toMoney('-0.05'),
    },
  ],
  payment_instructions: [
    {
      vendor: 'V',
      reference: awkward,
      type: 'CARD',
      details: {
        brand: 'é',
        last4: '0042',
        expiry: '2031-05',
        method: 'card',
        country: 'ES',
        customerId: 'cus_é',
        mandateId: 'm 1',
        status: 'active',
      },
      created_at: after(0.001),
    },
  ],
  metadata: [
    { key: 'z', value: {} },
    { key: awkward, value: { z: 1, a: { deep: [null, true, 'x', 1.5] }, 'a.b': {}, '': '🔌' } },
  ],
  references: [
    { namespace: 'b.c', value: 'x ' },
    { namespace: 'b.c', value: 'x' },
    { namespace: 'a', value: 'x' },
  ],
  billing_name: awkward,
  billing_address1: '1',
  billing_address2: '2',
  billing_address3: '3',
  billing_address4: '4',
  billing_address5: '🔌',
  billing_postcode: '46001',
  sales_channel: 'BROKER',
  sales_subchannel: '',
  unknown_occupier: true,
  communication_preference: 'PRINT',
}
