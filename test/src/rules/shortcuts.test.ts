import test from 'ava'
import fc from 'fast-check'
import { ledger, transaction, withLedgers, withPoint } from './parts.js'
import { judge } from './support.js'

const numRuns = Number(process.env['PROPERTY_RUNS'] ?? 500)

const entriesWith = (fields: object, code: string): readonly string[] => {
  const { errors, warnings } = judge(fields)
  return [...errors, ...warnings]
    .filter((entry) => entry.endsWith(` ${code}`))
    .map((entry) => entry.split(' ')[0] ?? '')
}

/** Ids that mostly ascend, so that lists often follow one another, and sometimes meet. */
const ids = fc.array(fc.nat(30), { maxLength: 6 }).chain((numbers) =>
  fc.constantFrom(
    numbers,
    numbers.toSorted((a, b) => a - b),
  ),
)

test('ids of transactions that come again are found in every ledger and list, whether they ascend or not', (t) => {
  fc.assert(
    fc.property(fc.array(fc.tuple(ids, ids), { maxLength: 5 }), (lists) => {
      const transactions = (numbers: readonly number[]) =>
        numbers.map((id) => transaction({ transaction_id: `T${String(id).padStart(2, '0')}` }))
      const fields = withLedgers(
        ...lists.map(([current, historical], index) =>
          ledger({
            ledger_code: `L${index}`,
            current_statement_transactions: transactions(current),
            historical_statement_transactions: transactions(historical),
          }),
        ),
      )
      const seen = new Set<number>()
      const repeats = lists.flatMap((pair, index) =>
        pair.flatMap((numbers, list) =>
          numbers.flatMap((id, at) => {
            if (!seen.has(id)) return (seen.add(id), [])
            const name = list === 0 ? 'current_statement_transactions' : 'historical_statement_transactions'
            return [`ledgers.${index}.${name}.${at}.transaction_id`]
          }),
        ),
      )
      t.deepEqual(entriesWith(fields, 'duplicate_transaction_ids'), repeats)
    }),
    { numRuns },
  )
})

const hour = (number: number): string => `2024-01-${String(1 + number).padStart(2, '0')}T00:00:00Z`

test('readings of one meter that overlap are found, in whatever order and between whichever meters', (t) => {
  const reading = fc.record({ meter: fc.constantFrom('A', 'B'), start: fc.nat(20), length: fc.nat(3) })
  const readings = fc.array(reading, { maxLength: 8 }).chain((list) =>
    fc.constantFrom(
      list,
      list.toSorted((a, b) => a.start - b.start),
    ),
  )
  fc.assert(
    fc.property(readings, (list) => {
      const fields = withPoint({
        readings: list.map(({ meter, start, length }) => ({
          meter_serial_number: meter,
          interval_start: hour(start),
          interval_end: hour(start + length),
          consumption_delta: '1',
        })),
      })
      const overlaps = list.flatMap(({ meter, start, length }, at) => {
        const meets = list.some(
          (other, index) =>
            other.meter === meter &&
            (other.start < start || (other.start === start && index < at)) &&
            other.length > 0 &&
            length > 0 &&
            other.start + other.length > start,
        )
        return meets ? [`supply_addresses.0.supply_points.0.readings.${at}.interval_start`] : []
      })
      t.deepEqual(entriesWith(fields, 'reading_intervals_overlap'), overlaps)
    }),
    { numRuns },
  )
})

test('what is wrong is found in any item, behind and before items that are in order', (t) => {
  const good = transaction({ type: 'PAYMENT', amount: '1.00' })
  for (const [fields, code, field] of [
    [{ transaction_date: '2999-01-01' }, 'transaction_in_future', 'transaction_date'],
    [{ type: 'PAYMENT', amount: '-1.00' }, 'non_positive_payment_amount', 'amount'],
    [{ type: 'CHARGE', reason: undefined }, 'transaction_reason_missing', 'reason'],
    [{ type: 'SUPPLY_CHARGE', product_code: undefined }, 'required', 'product_code'],
  ] as const)
    for (const place of [0, 1, 2]) {
      const list = [good, good, good].map((each, index) => ({
        ...each,
        transaction_id: `T${index}`,
        ...(index === place && fields),
      }))
      t.deepEqual(
        entriesWith(withLedgers(ledger({ current_statement_transactions: list })), code).filter((attr) =>
          attr.endsWith(field),
        ),
        [`ledgers.0.current_statement_transactions.${place}.${field}`],
      )
    }
})

const day = fc.nat(12).map((number) => `2024-03-${String(1 + number).padStart(2, '0')}`)
const maybe = <A>(values: fc.Arbitrary<A>): fc.Arbitrary<A | undefined> =>
  fc.option(values, { nil: undefined })

/** Agreements that mostly follow one another, and sometimes do not. */
const agreements = fc
  .array(fc.record({ length: fc.integer({ min: 0, max: 3 }), gap: fc.constantFrom(0, 0, 0, 1, -1) }), {
    maxLength: 4,
  })
  .chain((steps) => {
    let from = 3
    const list = steps.map(({ length, gap }) => {
      const start = from + gap
      from = start + length
      return {
        tariff_code: 'T',
        effective_from: hour(start).slice(0, 10),
        effective_to: hour(from).slice(0, 10),
      }
    })
    const openEnded = list.map((item, index) =>
      index < list.length - 1 ? item : { ...item, effective_to: undefined },
    )
    return fc.constantFrom(list, openEnded, list.toReversed())
  })

const tariff = { value: '2.0TD', valid_from: '2020-01-01' }

test('rules over a supply point find the same whether or not it is passed over as being in order', (t) => {
  const point = fc.record({
    supply_start_date: fc.constantFrom('2024-01-01', '2024-01-04', '2999-01-01'),
    last_billed_to_date: maybe(
      fc.oneof(
        day,
        fc.nat(12).map((number) => hour(number).slice(0, 10)),
      ),
    ),
    agreements,
  })
  let passed = 0
  fc.assert(
    fc.property(point, (fields) => {
      const found = (tariffs: readonly object[]): readonly string[] => {
        const { errors, warnings } = judge(withPoint({ ...fields, atr_tariffs: tariffs }))
        return [...errors, ...warnings].filter((entry) => !entry.endsWith(' duplicate_atr_tariff_dates'))
      }
      const alone = found([tariff])
      if (alone.length === 0) passed++
      // A tariff that comes twice has the whole point judged by all rules.
      t.deepEqual(found([tariff, tariff]), alone)
    }),
    { numRuns },
  )
  t.true(passed > 0)
})

/** Transactions around the closing date, of which few pay nothing or lie ahead. */
const transactions = fc.array(
  fc.record({
    type: fc.constantFrom('PAYMENT', 'CREDIT', 'CHARGE', 'REPAYMENT'),
    amount: fc.constantFrom('1.00', '1.00', 2, '0.01', 0),
    transaction_date: fc.constantFrom('2024-03-01', '2024-03-02', '2024-03-05', '2024-03-06', '2999-01-01'),
  }),
  { maxLength: 3 },
)

type Sent = Readonly<{ type: string; amount: string | number }>

const effectOf = (list: readonly Sent[]): number =>
  list.reduce(
    (sum, { amount, type }) => sum + (type === 'PAYMENT' || type === 'CREDIT' ? 1 : -1) * Number(amount),
    0,
  )

test('rules over a ledger find the same whether or not it is passed over as being in order', (t) => {
  const shape = fc.record({
    closing: maybe(fc.constantFrom('2024-03-02', '2024-03-05', '2999-01-01')),
    current: transactions,
    historical: transactions,
    off: fc.constantFrom(0, 0, 0, 0.01),
    lastOff: fc.constantFrom(0, 0, 0, 0.01),
  })
  const charge = { type: 'CHARGE', amount: '0.00', transaction_date: '2024-03-06' }
  let passed = 0
  fc.assert(
    fc.property(shape, ({ closing, current, historical, lastOff, off }) => {
      const numbered = (list: readonly Sent[], prefix: string) =>
        list.map((item, index) => ({ reason: 'R', ...item, transaction_id: `${prefix}${index}` }))
      const last = effectOf(historical) + lastOff
      const found = (more: readonly object[]): readonly string[] => {
        const { errors, warnings } = judge(
          withLedgers({
            ledger_code: 'L',
            last_statement_balance: last.toFixed(2),
            last_statement_closing_date: closing,
            ledger_balance: (last + effectOf(current) + off).toFixed(2),
            current_statement_transactions: [...numbered(current, 'C'), ...more],
            historical_statement_transactions: numbered(historical, 'H'),
          }),
        )
        return [...errors, ...warnings].filter((entry) => !entry.endsWith(' transaction_reason_missing'))
      }
      const alone = found([{ ...charge, reason: 'R', transaction_id: 'X' }])
      if (alone.length === 0) passed++
      // A charge without a reason has the whole ledger judged by all rules.
      const flawed = found([{ ...charge, transaction_id: 'X' }])
      t.deepEqual(flawed, alone)
    }),
    { numRuns },
  )
  t.true(passed > 0)
})
