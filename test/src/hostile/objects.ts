import { lists } from './make.js'

/** Parts of accounts, valid unless `fields` make them something else. */
export const supply = (points: readonly unknown[], address: object = { country: 'ES' }): object => ({
  supply_addresses: [supplyEntry(points, address)],
})

export const supplyEntry = (points: readonly unknown[], address: object = { country: 'ES' }): object => ({
  supply_address: address,
  customer_at_supply_address_from_date: '2020-01-01',
  supply_points: points,
})

export const point = (index: number, fields: object): object => ({
  identifier: `ES${index}`,
  supply_type: 'ELECTRICITY',
  supply_start_date: '2020-01-01',
  ...fields,
})

export const agreement = (fields: object): object => ({
  tariff_code: 'T',
  effective_from: '2020-01-01',
  ...fields,
})

export const reading = (fields: object): object => ({
  meter_serial_number: 'M',
  interval_start: '2020-01-01T00:00:00Z',
  interval_end: '2030-01-01T00:00:00Z',
  consumption_delta: '1',
  ...fields,
})

export const transaction = (index: number, fields: object): object => ({
  transaction_id: `T${index}`,
  transaction_date: '2025-01-01',
  amount: '0.01',
  type: 'PAYMENT',
  ...fields,
})

export const lineItem = (fields: object): object => ({
  start_date: '2025-01-01',
  end_date: '2025-01-31',
  number_of_units: 1,
  net_amount: 1,
  ...fields,
})

/** Ledgers of one list of transactions each. */
export const ledgers = (
  transactions: readonly (readonly unknown[])[],
  field = 'current_statement_transactions',
): object => ({
  ledgers: transactions.map((list, index) => ({
    ledger_code: `L${index}`,
    ledger_balance: 1,
    [field]: list,
  })),
})

/** Notes that hold nothing but documents, as many as fill a body. */
export const documents = (path: (index: number) => string): object => ({
  notes: lists((index) => ({ document_path: path(index) })).map((list) => ({ document_paths: list })),
})

/** Metadata items of one value each. */
export const metadata = (values: readonly object[]): object => ({
  metadata: values.map((value, index) => ({ key: `k${index}`, value })),
})
