import {
  agreement,
  inAddresses,
  inCustomers,
  inPoints,
  inTransactions,
  ledgers,
  lineItem,
  list,
  lists,
  point,
  reading,
  shuffled,
  supply,
  supplyEntry,
  times,
  transaction,
} from './make.js'

const day = (index: number): string => `${2000 + (index % 7000)}-01-01`

const second = (index: number): string => {
  const part = (number: number): string => String(number % 60).padStart(2, '0')
  return `2024-01-01T00:${part(Math.floor(index / 60))}:${part(index)}Z`
}

/** Amounts that doubles cannot hold. */
const largeItem = lineItem({
  start_date: '2025-01-02',
  end_date: '2025-01-01',
  number_of_units: '999999999999.9999',
  net_amount: '-9999999999.9999999999',
  price_per_unit: '99999999.9999999',
})

const readings = (fields: (index: number) => object): object =>
  inPoints('readings', (index) => reading(fields(index)))

const transactions = (fields: (index: number) => object): object =>
  ledgers(lists((index) => transaction(index, fields(index))))

const largeTax = {
  amount: '-9999999999.9999999999',
  tax_type: 'T',
  value_taxed: '9999999999.9999999999',
  rate: 0.000001,
  unit_type: 'U',
}

/** Many of something where rules compare each with the others. */
export const crowds: Readonly<Record<string, () => object>> = {
  '10 000 overlapping agreements': () => supply([point(0, { agreements: list(() => agreement({})) })]),
  '10 000 agreements, the longest last': () =>
    supply([
      point(0, {
        last_billed_to_date: '1999-01-01',
        agreements: list((index) => agreement({ effective_to: day(index) })).toReversed(),
      }),
    ]),
  'agreements in an order that nothing sorts': () =>
    inPoints('agreements', (index) => agreement({ effective_from: day(shuffled(index)) })),
  'agreements of tariffs that are looked up': () =>
    supply([
      point(0, {
        atr_tariffs: list((index) => ({ value: '6.1TD', valid_from: day(index) }), 0.4),
        agreements: list(
          (index) =>
            agreement({ effective_from: day(shuffled(index)), contractual_max_power: [6, 5, 4, 3, 2, 1] }),
          0.6,
        ),
      }),
    ]),
  'readings that overlap': () => readings(() => ({})),
  'readings of equal instants, of many meters': () =>
    readings((index) => ({ meter_serial_number: `M${index % 100}`, consumption_delta: '-1' })),
  'readings of one meter each': () => readings((index) => ({ meter_serial_number: `M${index}` })),
  'readings in an order that nothing sorts': () =>
    readings((index) => ({ interval_start: second(shuffled(index)) })),
  'readings without length': () => readings(() => ({ interval_end: '2020-01-01T00:00:00Z' })),
  '10 000 overlapping schedules': () => ({
    payment_schedules: list((index) => ({ means: 'DD', start_date: day(shuffled(index)), amount: -1 })),
  }),
  '10 000 equal addresses': () => ({
    supply_addresses: list(() => supplyEntry([], { country: 'PT', locality: 'x'.repeat(350) })),
  }),
  '10 000 addresses of all fields': () => ({
    supply_addresses: list((index) =>
      supplyEntry([], {
        structured_street_address: Object.fromEntries(
          ['door', 'floor', 'gate', 'stair', 'block', 'street_name', 'street_type'].map((name) => [
            name,
            '"',
          ]),
        ),
        country: 'ES',
        postal_code: `${index}`,
        locality: `${index}`,
      }),
    ),
  }),
  'supply points of one identifier': () => inAddresses(() => point(0, {})),
  'transactions of one id': () => ledgers(lists(() => transaction(0, {}))),
  'transactions that differ in the last of 255 characters': () =>
    transactions((index) => ({ transaction_id: 'x'.repeat(250) + String(index) })),
  'transactions with line items beyond doubles': () =>
    transactions(() => ({
      amount: '-9999999999.99',
      transaction_date: '2999-01-01',
      line_items: times(3, () => largeItem),
    })),
  'line items beyond doubles': () => inTransactions('line_items', () => largeItem),
  'line items with prices of zeros': () =>
    inTransactions('line_items', () =>
      lineItem({ number_of_units: `0.${'0'.repeat(62)}`, net_amount: '9999999999', price_per_unit: 1 }),
    ),
  'billable items beyond doubles': () =>
    inPoints('billable_items', () => ({
      net_amount: '-9999999999.9999999999',
      billable_item_type: 'B',
      interval_start: '2025-01-02',
      interval_end: '2025-01-01',
      number_of_units: '999999999999.9999',
      price_per_unit: '99999999.9999999',
    })),
  'taxes beyond doubles': () => inTransactions('tax_items', () => largeTax, { line_items: [lineItem({})] }),
  'amounts of 64 characters that are right': () =>
    transactions(() => ({ amount: `9999999999.9${'0'.repeat(52)}` })),
  'amounts that need all of a double': () =>
    transactions(() => ({ amount: 9_999_999_999.99, type: 'CREDIT' })),
  '10 000 ledgers of one code': () => ({
    ledgers: list(() => ({
      ledger_code: 'L',
      ledger_balance: 1,
      last_statement_balance: 2,
      historical_statement_transactions: [{}],
    })),
  }),
  'references, metadata and statements that repeat': () => ({
    references: list(() => ({ namespace: 'n', value: 'v' })),
    metadata: list(() => ({ key: 'k', value: {} })),
    statements: list(() => ({
      bill_period_from_date: '2025-01-02',
      bill_period_to_date: '2025-01-01',
      statement_id: 's',
    })),
  }),
  'details that repeat': () => inCustomers('user_details', () => ({ namespace: 'n', value: 'v' })),
  'roles without a holder': () => inCustomers('account_roles', () => 'R'),
  'notes that are unpinned too early': () => ({
    notes: list(() => ({
      body: ' ',
      created_at: '2999-01-01T00:00:00Z',
      unpin_at: '2024-01-01T00:00:00Z',
    })),
  }),
}
