import type { Account, AccountDetails, DecimalText, Instant, Transaction } from '@account-import/core'
import { keyOf } from './imports.js'

const money = (text: string): DecimalText => text as DecimalText
const at = (text: string): Instant => text as Instant
const added = at('2026-11-21T02:15:13.000Z')

/** Text that a careless column would change: accents apart, four-byte characters, quotes, outer spaces. */
const awkwardText = ' Ñandú e\u0301 🔌 \\ \' " \t% '

const bareTransaction: Transaction = {
  transaction_id: 'T-1',
  transaction_date: '1900-01-01',
  amount: money('-9999999999.99'),
  type: 'CREDIT',
  line_items: [],
  tax_items: [],
}

const fullTransaction: Transaction = {
  transaction_id: awkwardText,
  transaction_date: '9999-12-31',
  amount: money('9999999999.99'),
  type: 'SUPPLY_CHARGE',
  reason: 'IMPORTED_CHARGE',
  reference: awkwardText,
  payment_type: 'DIRECT_CREDIT',
  display_note: 'n'.repeat(65_536),
  note: '🔌'.repeat(16_384),
  product_code: 'P',
  line_items: [
    {
      rate_band: 'CONSUMPTION_STANDARD',
      start_date: '2025-01-01',
      end_date: '2025-01-31',
      number_of_units: '12.300',
      net_amount: 0.1,
      price_per_unit: '0.0000001',
      units: [1, '2.50'],
    },
    { start_date: '2025-02-01', end_date: '2025-02-28', number_of_units: 0, net_amount: '-1' },
  ],
  tax_items: [{ amount: 1.05, tax_type: 'VAT', value_taxed: '5.00', rate: 0.21, unit_type: 'PROPORTION' }],
}

const supplyAddresses: AccountDetails['supply_addresses'] = [
  {
    supply_address: { country: 'ES' },
    customer_at_supply_address_from_date: '2024-02-29',
    supply_points: [],
  },
  {
    supply_address: {
      locality: awkwardText,
      administrative_area: '',
      postal_code: '08001',
      country: 'ES',
      structured_street_address: {
        street_type: 'CL',
        street_name: awkwardText,
        street_number: '1',
        door: 'A',
        floor: '2',
        gate: '3',
        stair: '4',
        block: '5',
        address_extra_info: '6',
      },
    },
    customer_at_supply_address_from_date: '2024-03-01',
    supply_points: [
      {
        identifier: 'ES0021000000000001AA',
        distributor_ree_code: '0021',
        supply_type: 'ELECTRICITY',
        supply_start_date: '2024-03-01',
        last_billed_to_date: '2025-01-31',
        atr_tariffs: [{ value: '2.0TD', valid_from: '2024-03-01' }],
        agreements: [
          { tariff_code: 'B', effective_from: '2024-03-01', effective_to: '2025-01-01' },
          {
            tariff_code: 'A',
            effective_from: '2025-01-01',
            cnae: '9820',
            contractual_max_power: [0, 1, 2, 3, 4, 999_999_999],
            annual_consumption: '0012.50',
            estimated_monthly_fee_in_cents: 9_999_999_999,
            social_bonus_identifier: '',
            atr_type: '01',
          },
        ],
        readings: [],
        billable_items: [],
      },
      {
        identifier: 'ES0021000000000002BB',
        supply_type: 'GAS',
        supply_start_date: '2024-03-02',
        atr_tariffs: [],
        agreements: [{ tariff_code: 'C', effective_from: '2024-03-02', estimated_monthly_fee_in_cents: 0 }],
        readings: [
          {
            meter_serial_number: 'M',
            interval_start: '2024-03-02T00:00:00Z',
            interval_end: '2024-04-02T00:00:00Z',
            consumption_delta: '123.450000',
            source: 1,
          },
        ],
        billable_items: [
          {
            net_amount: '1.0000000001',
            billable_item_type: 'X',
            interval_start: '2024-03-02',
            interval_end: '2024-04-01',
            number_of_units: 1,
            price_per_unit: 1,
            unit_type: 'PER_ITEM',
          },
        ],
      },
    ],
  },
  {
    supply_address: { country: 'PT', structured_street_address: {} },
    customer_at_supply_address_from_date: '2024-03-01',
    supply_points: [],
  },
]

/** Every field of an account, and every list with a member that has as little as is allowed. */
export const fullDetails: AccountDetails = {
  account_type: 'BUSINESS_THIRD_PARTY_BILLED',
  customers: [
    { account_roles: [], user_details: [] },
    {
      account_roles: ['ACCOUNT_HOLDER', 'OTHER'],
      user_details: [
        { namespace: 'fiscal_code', value: awkwardText },
        { namespace: 'b', value: '2' },
      ],
      given_name: awkwardText,
      family_name: '',
      email: `${'a'.repeat(245)}@acme.es`,
      mobile: '+34 600 000 000',
      landline: '+34 900 000 000',
    },
  ],
  supply_addresses: supplyAddresses,
  notes: [
    {
      document_paths: [{ document_path: 'a/b.pdf' }],
      created_at: at('2025-01-01T00:00:00.000Z'),
      is_pinned: false,
    },
    {
      body: 'x'.repeat(65_536),
      document_paths: [],
      created_at: at('2025-01-01T23:59:59.999Z'),
      is_pinned: true,
      unpin_at: at('2026-01-01T00:00:00.500Z'),
    },
  ],
  ledgers: [
    {
      ledger_code: 'Z',
      current_statement_transactions: [],
      historical_statement_transactions: [bareTransaction],
    },
    {
      ledger_code: 'A',
      last_statement_balance: money('0.00'),
      last_statement_closing_date: '2025-01-31',
      ledger_balance: money('-12.30'),
      current_statement_transactions: [fullTransaction, { ...bareTransaction, transaction_id: 'T-2' }],
      historical_statement_transactions: [
        { ...bareTransaction, transaction_id: 'T-0', amount: money('0.01') },
      ],
    },
  ],
  transactions_without_ledger: [],
  payment_schedules: [
    { means: 'MANUAL', start_date: '2025-01-01', trigger: 'REGULAR' },
    {
      means: 'DD',
      start_date: '2025-01-01',
      end_date: '2025-12-31',
      trigger: 'PLAN',
      amount: money('50.00'),
      frequency: 'MONTHLY',
      day_of_month: 31,
    },
  ],
  statements: [
    { bill_period_from_date: '2024-03-01', bill_period_to_date: '2024-03-31', statement_id: 'S-2' },
    {
      bill_period_from_date: '2024-02-01',
      bill_period_to_date: '2024-02-29',
      statement_path: 'statements/S-1.pdf',
      statement_id: 'S-1',
      supply_type: 'GAS',
      issued_date: '2024-03-05',
      number: awkwardText,
      gross_amount: money('-0.05'),
    },
  ],
  payment_instructions: [
    { vendor: 'V', reference: awkwardText, type: 'CARD', details: {}, created_at: added },
    {
      vendor: 'V',
      reference: 'r',
      type: 'CUSTOM',
      details: { brand: 'é', last4: '0042' },
      created_at: added,
    },
  ],
  metadata: [
    { key: 'z', value: {} },
    { key: awkwardText, value: { b: [1, null, { '': '🔌' }], a: 0.1, 'a.b': true } },
  ],
  references: [
    { namespace: 'b.c', value: ' 2' },
    { namespace: 'a', value: '1' },
  ],
  billing_name: awkwardText,
  billing_address1: '1',
  billing_address2: '2',
  billing_address3: '3',
  billing_address4: '4',
  billing_address5: '🔌'.repeat(512),
  billing_postcode: '08001',
  sales_channel: 'DIRECT',
  sales_subchannel: '',
  unknown_occupier: true,
  communication_preference: 'PRINT',
}

export const accountOf = (
  externalAccountNumber: string,
  platformAccountNumber: string,
  details: AccountDetails = fullDetails,
): Account => ({
  key: keyOf(externalAccountNumber),
  platformAccountNumber,
  operationsTeam: 'Migración ',
  stagedVersion: 3,
  createdAt: at('2026-11-21T02:15:13.007Z'),
  details,
})
