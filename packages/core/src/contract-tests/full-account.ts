import { accountFromPayload } from '../domain/account-from-payload.js'
import type { AccountKey } from '../domain/account-key.js'
import type { Account } from '../domain/account.js'
import { accountPayload, type AccountPayload } from '../payloads/account.js'
import { freshNumber, start } from './builders.js'

const everyTransactionField = {
  transaction_id: 'T-1',
  transaction_date: '2025-01-31',
  amount: '-0.50',
  type: 'SUPPLY_CHARGE',
  reason: 'R',
  reference: 'ref',
  payment_type: 'CHEQUE',
  display_note: 'línea 1\nlínea 2',
  note: "\u{1F4A1} “inner” \\ ' % _ ;--",
  product_code: 'P',
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
  tax_items: [{ amount: 1.5, tax_type: 'VAT', value_taxed: 7, rate: '0.2100', unit_type: 'PROPORTION' }],
} as const

/** Every field of every table of the payload, with values at their edges. */
const fullPayload = (key: AccountKey): unknown => ({
  import_supplier: key.importSupplier,
  external_account_number: key.externalAccountNumber,
  account_type: 'BUSINESS_OCCUPIER',
  customers: [
    {
      account_roles: ['ACCOUNT_HOLDER', 'X'],
      user_details: [
        { namespace: 'fiscal_code', value: '12345678Z' },
        { namespace: 'n', value: ' spaces kept ' },
      ],
      given_name: '',
      family_name: 'Ibáñez',
      email: 'a@example.com',
      mobile: '+34 600 000 123',
      landline: '960000123',
    },
    {},
  ],
  supply_addresses: [
    {
      supply_address: {
        locality: 'L',
        administrative_area: 'A',
        postal_code: '00',
        country: 'ES',
        structured_street_address: {
          street_type: 'CL',
          street_name: 'Mayor',
          street_number: '1',
          door: '2',
          floor: '3',
          gate: '4',
          stair: '5',
          block: '6',
          address_extra_info: '7',
        },
      },
      customer_at_supply_address_from_date: '1900-01-01',
      supply_points: [
        {
          identifier: 'ES0021000012345678LB',
          distributor_ree_code: '0021',
          supply_type: 'ELECTRICITY',
          supply_start_date: '2020-02-29',
          last_billed_to_date: '9999-12-31',
          atr_tariffs: [{ value: '2.0TD', valid_from: '2020-01-01' }],
          agreements: [
            {
              tariff_code: 'T',
              effective_from: '2020-01-01',
              effective_to: '2021-01-01',
              cnae: '9820',
              contractual_max_power: [0, 1, 2, 3, 4, 999_999_999],
              annual_consumption: '12.50',
              estimated_monthly_fee_in_cents: 9_999_999_999,
              social_bonus_identifier: '',
              atr_type: '01',
            },
            { tariff_code: 'T2', effective_from: '2021-01-01' },
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
        },
        { identifier: 'x', supply_type: 'GAS', supply_start_date: '2020-01-01' },
      ],
    },
    {
      supply_address: { country: 'PT', structured_street_address: {} },
      customer_at_supply_address_from_date: '2020-01-01',
      supply_points: [],
    },
  ],
  notes: [
    {
      body: 'b',
      document_paths: [{ document_path: 'a/b.pdf' }],
      created_at: '2024-11-05T09:30:00Z',
      is_pinned: true,
      unpin_at: '9999-12-31T23:59:59Z',
    },
    { document_paths: [{ document_path: 'c.pdf' }] },
  ],
  ledgers: [
    {
      ledger_code: 'L1',
      last_statement_balance: '-9999999999.99',
      last_statement_closing_date: '2025-01-31',
      ledger_balance: 1234567890.12,
      current_statement_transactions: [everyTransactionField],
      historical_statement_transactions: [
        { ...everyTransactionField, transaction_id: 'T-2', amount: 10 },
        { transaction_id: 'T-3', transaction_date: '2025-01-31', amount: '0.00', type: 'CHARGE' },
      ],
    },
    { ledger_code: 'L2' },
  ],
  payment_schedules: [
    {
      means: 'DD',
      start_date: '2024-01-01',
      end_date: '2024-12-31',
      trigger: 'PLAN',
      amount: '99999999.99',
      frequency: 'MONTHLY',
      day_of_month: 31,
    },
    { means: 'MANUAL', start_date: '2025-01-01' },
  ],
  statements: [
    {
      bill_period_from_date: '2025-01-01',
      bill_period_to_date: '2025-01-31',
      statement_path: 's.pdf',
      statement_id: 'S-1',
      supply_type: 'GAS',
    },
    { bill_period_from_date: '2025-02-01', bill_period_to_date: '2025-02-28', statement_id: 'S-2' },
  ],
  metadata: [{ key: 'k', value: { z: 1, a: { deep: [null, true, 'x', 1.5] }, empty: {} } }],
  references: [
    { namespace: 'a.b', value: 'x ' },
    { namespace: 'a.b', value: 'x' },
  ],
  billing_name: 'B',
  billing_address1: '1',
  billing_address2: '2',
  billing_address3: '3',
  billing_address4: '4',
  billing_address5: '5',
  billing_postcode: '46001',
  sales_channel: 'BROKER',
  sales_subchannel: 'sub',
  unknown_occupier: true,
  communication_preference: 'PRINT',
})

const decoded = (payload: unknown): AccountPayload => {
  const either = accountPayload.decode(payload)
  if (either._tag === 'Right') return either.right
  throw new Error('the full payload must be valid')
}

/** An account that uses every field there is. */
export const aFullAccount = (key: AccountKey): Account => ({
  key,
  platformAccountNumber: freshNumber(),
  operationsTeam: 'Operaciones Ñ',
  stagedVersion: 7,
  createdAt: start,
  details: {
    ...accountFromPayload(decoded(fullPayload(key)), start),
    payment_instructions: [
      { vendor: 'V', reference: 'r 1', type: 'CARD', details: { last4: '0042' }, created_at: start },
      { vendor: 'V', reference: 'R 1', type: 'CUSTOM', details: {}, created_at: start },
    ],
  },
})
