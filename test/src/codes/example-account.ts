import type { PayloadExample } from '@account-import/core/guides'

type Json = Readonly<Record<string, unknown>>

const transaction = {
  transaction_id: 'T-0004',
  transaction_date: '2025-05-12',
  amount: '5.00',
  type: 'CREDIT',
  reason: 'GENERAL_CREDIT',
}

const supplyPoint = {
  identifier: 'ES0021000012345678LB',
  supply_type: 'ELECTRICITY',
  supply_start_date: '2024-01-01',
  agreements: [{ tariff_code: 'LUZ-2024', effective_from: '2024-01-01' }],
}

/** The least that is accepted without a warning. */
const least = {
  import_supplier: 'LEVANTE',
  external_account_number: 'LEV-000789',
  customers: [{ account_roles: ['ACCOUNT_HOLDER'], family_name: 'Ferrer' }],
}

/** What an item of each list needs; put there only where the place of an example leads through it. */
const items: Readonly<Record<string, Json>> = {
  customers: least.customers[0] ?? {},
  supply_addresses: {
    supply_address: { country: 'ES' },
    customer_at_supply_address_from_date: '2024-01-01',
    supply_points: [supplyPoint],
  },
  supply_points: supplyPoint,
  agreements: supplyPoint.agreements[0] ?? {},
  readings: {
    meter_serial_number: 'M-4471',
    interval_start: '2025-03-01T00:00:00Z',
    interval_end: '2025-04-01T00:00:00Z',
    consumption_delta: '212.5',
  },
  billable_items: {
    net_amount: 9.9,
    billable_item_type: 'METER_RENTAL',
    interval_start: '2025-03-01',
    interval_end: '2025-03-31',
  },
  notes: { body: 'Prefiere factura en papel' },
  ledgers: { ledger_code: 'SPAIN_ELECTRICITY_LEDGER' },
  current_statement_transactions: transaction,
  payment_schedules: { means: 'DD', start_date: '2024-01-01', trigger: 'BILL' },
  statements: {
    bill_period_from_date: '2025-03-01',
    bill_period_to_date: '2025-03-31',
    statement_id: 'F-0003',
  },
}

/** Each list of a fragment with its one item as often as asked. */
const repeat = (fragment: Json, times: number): Json =>
  Object.fromEntries(
    Object.entries(fragment).map(([name, value]) => [
      name,
      Array.isArray(value) ? Array.from({ length: times }, () => value[0] as unknown) : value,
    ]),
  )

/** An object with the fragment put into the object that the steps lead to. */
const put = (object: Json, steps: readonly string[], fragment: Json): Json => {
  const [list, index, ...rest] = steps
  if (list === undefined) return { ...object, ...fragment }
  const item = items[list]
  if (item === undefined || index !== '0') throw new Error(`No example can stand in ${list}.${index}`)
  return { ...object, [list]: [put(item, rest, fragment)] }
}

/** The whole account that an example speaks of. */
export const exampleAccount = (example: PayloadExample, which: 'bad' | 'good'): Json => {
  const fragment = which === 'bad' ? repeat(example.bad, example.repeated ?? 1) : example.good
  return put(
    least,
    example.in === '' ? [] : example.in.split('.'),
    example.repeated ? fragment : example[which],
  )
}
