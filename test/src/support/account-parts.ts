type Fields = Readonly<Record<string, unknown>>

/** Accounts with one part that is validated; all else in them is in order. A field set to `undefined` is left out. */
export const withCustomers = (...customers: readonly unknown[]): Fields => ({ customers })

export const holder = (fields: Fields = {}): Fields => ({
  account_roles: ['ACCOUNT_HOLDER'],
  family_name: 'Roig',
  ...fields,
})

export const withDetails = (...user_details: readonly unknown[]): Fields =>
  withCustomers(holder({ user_details }))

export const entry = (fields: Fields = {}): Fields => ({
  supply_address: { country: 'PT' },
  customer_at_supply_address_from_date: '2024-01-01',
  supply_points: [supplyPoint({ identifier: crypto.randomUUID() })],
  ...fields,
})

export const at = (country: string, fields: Fields = {}): Fields =>
  entry({ supply_address: { country, ...fields } })

/** With customers, so that several addresses are no matter. */
export const withEntries = (...supply_addresses: readonly unknown[]): Fields => ({
  customers: [holder()],
  supply_addresses,
})

export const supplyPoint = (fields: Fields = {}): Fields => ({
  identifier: 'X',
  supply_type: 'GAS',
  supply_start_date: '2024-01-01',
  agreements: [agreement()],
  ...fields,
})

export const point = 'supply_addresses.0.supply_points.0'

export const withPoints = (...supply_points: readonly unknown[]): Fields => ({
  supply_addresses: [entry({ supply_points })],
})

export const withPoint = (fields: Fields): Fields => withPoints(supplyPoint(fields))

export const agreement = (from: unknown = '2024-01-01', to?: unknown, fields: Fields = {}): Fields => ({
  tariff_code: 'T',
  effective_from: from,
  effective_to: to,
  ...fields,
})

export const withAgreements = (...agreements: readonly unknown[]): Fields => withPoint({ agreements })

export const reading = (from: unknown, to: unknown, fields: Fields = {}): Fields => ({
  meter_serial_number: 'M',
  interval_start: from,
  interval_end: to,
  consumption_delta: '1',
  ...fields,
})

export const withReadings = (...readings: readonly unknown[]): Fields => withPoint({ readings })

export const billableItem = (fields: Fields = {}): Fields => ({
  net_amount: 1,
  billable_item_type: 'B',
  interval_start: '2024-01-01',
  interval_end: '2024-01-31',
  ...fields,
})

export const withItem = (fields: Fields): Fields => withPoint({ billable_items: [billableItem(fields)] })

export const withNote = (fields: Fields): Fields => ({ notes: [{ body: 'b', ...fields }] })

export const schedule = (fields: Fields = {}): Fields => ({
  means: 'DD',
  start_date: '2024-01-01',
  amount: 10,
  frequency: 'MONTHLY',
  day_of_month: 1,
  ...fields,
})

export const withSchedules = (...payment_schedules: readonly unknown[]): Fields => ({ payment_schedules })

export const statement = (fields: Fields = {}): Fields => ({
  bill_period_from_date: '2024-01-01',
  bill_period_to_date: '2024-01-31',
  statement_id: 'S',
  ...fields,
})

export const withStatements = (...statements: readonly unknown[]): Fields => ({ statements })

export const ledger = (fields: Fields = {}): Fields => ({ ledger_code: 'L', ...fields })

export const withLedgers = (...ledgers: readonly unknown[]): Fields => ({ ledgers })

export const transaction = (fields: Fields = {}): Fields => ({
  transaction_id: crypto.randomUUID(),
  transaction_date: '2025-01-15',
  amount: 10,
  type: 'PAYMENT',
  ...fields,
})

export const current = 'ledgers.0.current_statement_transactions'
export const historical = 'ledgers.0.historical_statement_transactions'

export const withCurrent = (...transactions: readonly unknown[]): Fields =>
  withLedgers(ledger({ current_statement_transactions: transactions }))

/** With the closing date that historical transactions need. */
export const withHistorical = (...transactions: readonly unknown[]): Fields =>
  withLedgers(
    ledger({ last_statement_closing_date: '2025-08-31', historical_statement_transactions: transactions }),
  )

export const line = (fields: Fields = {}): Fields => ({
  start_date: '2024-01-01',
  end_date: '2024-01-31',
  number_of_units: 10,
  net_amount: 10,
  ...fields,
})

/** A transaction of 10 with these line items. */
export const withLines = (...line_items: readonly unknown[]): Fields =>
  withCurrent(transaction({ line_items }))

/** Wraps each transaction into both lists in turn: the path of the list, and the account. */
export const inBothLists = (make: () => Fields): readonly (readonly [list: string, fields: Fields])[] => [
  [current, withCurrent(make())],
  [historical, withHistorical(make())],
]
