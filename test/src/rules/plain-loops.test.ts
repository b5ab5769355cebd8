import test from 'ava'
import { fc, runs } from '../support/properties.js'
import { ledger, transaction, withLedgers, withPoint } from './parts.js'
import { validate } from './support.js'

const numRuns = runs(500)

const entriesWith = (fields: object, code: string): readonly string[] => {
  const { errors, warnings } = validate(fields)
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
