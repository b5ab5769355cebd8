import test from 'ava'
import { builtInSettings, type Instant } from '@account-import/core'
import { isTimeZone, openLists, settingsFaults, today } from '@account-import/core/adapter-kit'
import { findInAccount } from './support.js'

const closed = { members: ['A'], severity: 'error' } as const

test('a closed list reaches its field, for every open list of the catalogue', (t) => {
  const fields = {
    customers: [{ account_roles: ['B'], user_details: [{ namespace: 'B', value: 'v' }] }],
    supply_addresses: [
      {
        supply_address: { country: 'ES' },
        customer_at_supply_address_from_date: '2024-01-01',
        supply_points: [
          {
            identifier: 'X',
            supply_type: 'GAS',
            supply_start_date: '2024-01-01',
            agreements: [{ tariff_code: 'B', effective_from: '2024-01-01', atr_type: 'B' }],
            billable_items: [
              {
                net_amount: 1,
                billable_item_type: 'B',
                interval_start: '2024-01-01',
                interval_end: '2024-01-01',
                unit_type: 'B',
              },
            ],
          },
        ],
      },
    ],
    ledgers: [
      {
        ledger_code: 'B',
        current_statement_transactions: [
          {
            transaction_id: 'T',
            transaction_date: '2024-01-01',
            amount: 1,
            type: 'CHARGE',
            reason: 'B',
            payment_type: 'B',
            product_code: 'B',
            line_items: [
              {
                rate_band: 'B',
                start_date: '2024-01-01',
                end_date: '2024-01-01',
                number_of_units: 1,
                net_amount: 1,
              },
            ],
            tax_items: [{ amount: 1, tax_type: 'B', value_taxed: 1, rate: 1, unit_type: 'B' }],
          },
        ],
      },
    ],
    sales_channel: 'B',
  }
  t.deepEqual(findInAccount(fields).errors, [])
  const reached = openLists.map((name) => {
    const { errors } = findInAccount(fields, { closedLists: { [name]: closed } })
    t.is(errors.length, 1, name)
    return errors[0]
  })
  t.is(new Set(reached).size, openLists.length)
  const all = findInAccount(fields, {
    closedLists: Object.fromEntries(openLists.map((name) => [name, closed])),
  })
  t.deepEqual([...all.errors].sort(), [...reached].sort())
})

test('today is the date in the time zone of the service, also where another day has begun there', (t) => {
  const at = (text: string): Instant => text as Instant
  t.is<string, string>(today(at('2025-06-30T21:59:59.999Z'), 'Europe/Madrid'), '2025-06-30')
  t.is<string, string>(today(at('2025-06-30T22:00:00.000Z'), 'Europe/Madrid'), '2025-07-01')
  t.is<string, string>(today(at('2025-12-31T22:59:59.999Z'), 'Europe/Madrid'), '2025-12-31')
  t.is<string, string>(today(at('2025-12-31T23:00:00.000Z'), 'Europe/Madrid'), '2026-01-01')
  t.is<string, string>(today(at('2025-01-01T00:00:00.000Z'), 'Atlantic/Canary'), '2025-01-01')
  t.is<string, string>(today(at('2025-01-01T00:00:00.000Z'), 'America/New_York'), '2024-12-31')
  t.true(isTimeZone('Europe/Madrid'))
  t.false(isTimeZone('Europe/Nowhere'))
})

test('settings that can be saved have no faults', (t) => {
  const settings = {
    ...builtInSettings,
    severities: {
      unknown_field: 'error',
      path_does_not_exist_in_file_store: 'warn',
      gap_in_agreement_dates: 'off',
    },
    closedLists: { reason: { members: ['A', 'B'], severity: 'warn' } },
    internalEmailDomains: ['levante.example'],
    markets: [],
    documentRoot: 'levante/documents',
    emailLanguage: 'ca',
    retentionDays: 0,
  } as const
  t.deepEqual(settingsFaults(settings), [])
  t.deepEqual(settingsFaults(builtInSettings), [])
})

test('every fault of settings is found at once, where it is', (t) => {
  const faults = settingsFaults({
    ...builtInSettings,
    severities: { required: 'off', nonsense: 'warn' },
    closedLists: {
      vendor: { members: ['SANDBOX'], severity: 'warn' },
      reason: { members: [], severity: 'error' },
      rate_band: { members: [' '], severity: 'error' },
    },
    internalEmailDomains: ['not a domain'],
    markets: ['ES', 'XX'],
    documentRoot: '../elsewhere',
    emailLanguage: 'Català',
    retentionDays: -1,
  })
  t.deepEqual(
    faults.map(({ attr, code }) => `${attr} ${code}`),
    [
      'severities.nonsense invalid_choice',
      'severities.required invalid_choice',
      'closedLists.reason.members empty',
      'closedLists.rate_band.members.0 blank',
      'closedLists.vendor invalid_choice',
      'internalEmailDomains.0 invalid',
      'markets.1 invalid_choice',
      'documentRoot document_path_outside_root',
      'emailLanguage max_length',
      'retentionDays min_value',
    ],
  )
})
