import { isThorough } from '../../../support/properties.js'

/** The most bytes of a request's body. */
export const bodyLimit = 5 * 1024 * 1024

/** The bytes that lists and objects fill: a quarter of a body shows a time that grows too fast; long runs of properties fill it. */
const filledBytes = isThorough ? bodyLimit : bodyLimit / 4

/** Bytes left for the rest of an account and the brackets around a list; more than they need. */
const reserve = 4096

/** The most items of a list. */
const mostItems = 10_000

export const times = <A>(length: number, make: (index: number) => A): readonly A[] =>
  Array.from({ length }, (_, index) => make(index))

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** How many items are measured to estimate the size of all: building them takes longer than validating them. */
const samples = [0, 7, 1000, 99_999]

/** The number of items that `bytes` of a body can contain. */
const filled = <A>(make: (index: number) => A, most: number, bytes: number): readonly A[] => {
  const size = Math.max(...samples.map((index) => bytesOf(make(index)))) + 1
  return times(Math.min(most, Math.floor(bytes / size)), make)
}

/** A list of these bytes, or its `share` of them, or has as many items as a list may have. */
export const list = <A>(make: (index: number) => A, share = 1): readonly A[] =>
  filled(make, mostItems, (filledBytes - reserve) * share)

/** The variants of the lists that share a body. */
const aroundList = 200

/** Lists of up to 10 000 items that together fill a body. */
export const lists = <A>(make: (index: number) => A): readonly (readonly A[])[] => {
  // The smallest items, of two bytes, fill 180 lists.
  const items = filled(make, Infinity, filledBytes - reserve - 180 * aroundList)
  return times(Math.ceil(items.length / mostItems), (at) => items.slice(at * mostItems, (at + 1) * mostItems))
}

/** An object of as many fields as fill a body. */
export const keyed = (key: (index: number) => string, value: unknown = 1): object =>
  Object.fromEntries(filled((index) => [key(index), value] as const, Infinity, filledBytes - reserve))

/** The same numbers in another order, without a pattern that a sort could use. */
export const shuffled = (index: number): number => (index * 2_654_435_761) % 4_294_967_296

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
export const ledgers = (transactions: readonly (readonly unknown[])[]): object => ({
  ledgers: transactions.map((list, index) => ({
    ledger_code: `L${index}`,
    ledger_balance: 1,
    current_statement_transactions: list,
  })),
})

type Make = (index: number) => unknown

/** As many items as fill a body, in lists: one in each supply point, in this field. */
export const inPoints = (field: string, make: Make): object =>
  supply(lists(make).map((items, index) => point(index, { [field]: items })))

/** The same in each transaction of one ledger. */
export const inTransactions = (field: string, make: Make, fields: object = {}): object =>
  ledgers([lists(make).map((items, index) => transaction(index, { ...fields, [field]: items }))])

/** The same in each customer. */
export const inCustomers = (field: string, make: Make, fields: object = {}): object => ({
  customers: lists(make).map((items) => ({ ...fields, [field]: items })),
})

/** The same in each address. */
export const inAddresses = (make: Make): object => ({
  supply_addresses: lists(make).map((points) => supplyEntry(points)),
})

/** Notes that hold nothing but documents, as many as fill a body. */
export const documents = (path: (index: number) => string): object => ({
  notes: lists((index) => ({ document_path: path(index) })).map((list) => ({ document_paths: list })),
})

/** Metadata items of one value each. */
export const metadata = (values: readonly object[]): object => ({
  metadata: values.map((value, index) => ({ key: `k${index}`, value })),
})

/** Metadata whose values are lists of these items, as many as fill a body. */
export const freely = (make: Make): object => metadata(lists(make).map((items) => ({ items })))
