import test from 'ava'
import {
  ledger,
  line,
  point,
  transaction,
  withCurrent,
  withItem,
  withLedgers,
  withPoint,
} from '../support/account-parts.js'
import { fc, holds } from '../support/properties.js'
import { detailed, supplied, validate, validateSpanish } from './support.js'

/** A decimal as whole units of 10^-decimals, and as it may be sent. */
type Amount = Readonly<{ units: bigint; sent: number | string }>

const textOf = (units: bigint, decimals: number): string => {
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0')
  return `${units < 0n ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** Decimals up to the most digits, often with few; as numbers where these keep them. */
const decimal = (whole: number, decimals: number): fc.Arbitrary<Amount> => {
  const largest = 10n ** BigInt(whole + decimals) - 1n
  const few = 10n ** BigInt(Math.min(whole, 4) + decimals)
  return fc
    .tuple(fc.oneof(fc.bigInt(-largest, largest), fc.bigInt(-few, few)), fc.boolean())
    .map(([units, asNumber]) => {
      const text = textOf(units, decimals)
      const digits = text.replace(/^-?0*\.?0*|\./g, '').length
      const number = Number(text)
      const isKept = digits <= 15 && !String(number).includes('e')
      return { units, sent: asNumber && isKept ? number : text }
    })
}

const money = decimal(10, 2)
const figure = decimal(10, 10)
const cent = (decimals: number): bigint => 10n ** BigInt(decimals - 2)
const isCentOrMore = (difference: bigint, decimals: number): boolean =>
  difference >= cent(decimals) || -difference >= cent(decimals)

const fires = (fields: object, path: string, code: string): boolean =>
  validate(fields).warnings.includes(`${path} ${code}`)

test('a product is checked by its exact value, with any digits', (t) => {
  const off = fc.oneof(fc.bigInt(-2n, 2n), fc.constantFrom(cent(10), -cent(10), cent(10) - 1n, 1n - cent(10)))
  holds(t, 1500, [decimal(12, 4), decimal(8, 7), off], (units, price, by) => {
    const product = units.units * price.units
    const net = product / 10n + by
    fc.pre(net < 10n ** 20n && -net < 10n ** 20n)
    const fields = withItem({
      net_amount: textOf(net, 10),
      number_of_units: units.sent,
      price_per_unit: price.sent,
    })
    const fired = fires(fields, `${point}.billable_items.0.net_amount`, 'incorrect_billable_item_net_amount')
    return fired === isCentOrMore(net * 10n - product, 11)
  })
})

test('a sum of items and taxes is checked by its exact value', (t) => {
  const off = fc.constantFrom(0n, cent(10), -cent(10), cent(10) - 1n, 1n - cent(10))
  holds(t, 1000, [money, fc.array(figure, { maxLength: 4 }), off], (amount, items, by) => {
    const due = amount.units * 10n ** 8n - items.reduce((sum, { units }) => sum + units, 0n) + by
    fc.pre(due < 10n ** 20n && -due < 10n ** 20n)
    const lines = [...items.map(({ sent }) => sent), textOf(due, 10)]
    const fields = withCurrent(
      transaction({ amount: amount.sent, line_items: lines.map((net_amount) => line({ net_amount })) }),
    )
    const code = 'ledger_transaction_amount_does_not_match_with_line_item_net_amount_and_tax_amount'
    return fires(fields, 'ledgers.0.current_statement_transactions.0.amount', code) === isCentOrMore(by, 10)
  })
})

test('balances are compared exactly, also where a sum is larger than the safe integers', (t) => {
  const types = ['PAYMENT', 'CREDIT', 'CHARGE', 'REPAYMENT'] as const
  const entries = fc.array(fc.tuple(money, fc.constantFrom(...types)), { maxLength: 30 })
  holds(t, 1000, [money, entries, fc.bigInt(-1n, 1n)], (last, effects, by) => {
    const raises = (type: string): boolean => type === 'PAYMENT' || type === 'CREDIT'
    const sum = effects.reduce(
      (total, [{ units }, type]) => total + (raises(type) ? units : -units),
      last.units,
    )
    fc.pre(sum + by < 10n ** 12n && -sum - by < 10n ** 12n)
    const fields = withLedgers(
      ledger({
        last_statement_balance: last.sent,
        ledger_balance: textOf(sum + by, 2),
        current_statement_transactions: effects.map(([{ sent }, type]) =>
          transaction({ amount: sent, type, reason: 'R' }),
        ),
      }),
    )
    return fires(fields, 'ledgers.0.ledger_balance', 'balance_mismatch_on_ledger_balance') === (by !== 0n)
  })
})

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

test('repeated ids of transactions are found in every ledger and list, in any order', (t) => {
  holds(t, 500, [fc.array(fc.tuple(ids, ids), { maxLength: 5 })], (lists) => {
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
  })
})

const hour = (number: number): string => `2024-01-${String(1 + number).padStart(2, '0')}T00:00:00Z`

test('overlapping readings of one meter are found, in any order and between any meters', (t) => {
  const reading = fc.record({ meter: fc.constantFrom('A', 'B'), start: fc.nat(20), length: fc.nat(3) })
  const readings = fc.array(reading, { maxLength: 8 }).chain((list) =>
    fc.constantFrom(
      list,
      list.toSorted((a, b) => a.start - b.start),
    ),
  )
  holds(t, 500, [readings], (list) => {
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
  })
})

test('a fault is found in any item, after and before correct ones', (t) => {
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

const pieces = ['ES', '1', ' ', '-', '. -', 'ES1234 ', 'a\u00a0', '\u017f', 'É', '\ud83e\uddfe', 'RL.']

const texts = (length: number): readonly string[] =>
  pieces.flatMap((piece) => {
    const text = piece.repeat(Math.ceil(length / piece.length)).slice(0, length - 2)
    return [`${text}Z`, `Z${text}`, `${text}\nT`]
  })

test('texts of 64 KiB fail quickly by their length alone', (t) => {
  const begin = performance.now()
  for (const text of texts(65_536)) {
    const all = { ...supplied({ identifier: text, distributor_ree_code: text }, { postal_code: text }) }
    t.deepEqual(validateSpanish({ ...all, ...detailed(text) }), { errors: [], warnings: [] })
  }
  t.true(performance.now() - begin < 10_000, `${performance.now() - begin} ms`)
})

test('a payload full of the longest readable texts is validated quickly', (t) => {
  // 4 MiB of details, and supply points.
  const details = texts(1024).flatMap((value) =>
    Array.from({ length: 120 }, (_, index) => ({ namespace: index === 0 ? 'x' : 'fiscal_code', value })),
  )
  const points = texts(64).flatMap((identifier) =>
    Array.from({ length: 100 }, () => ({
      identifier,
      supply_type: 'GAS',
      supply_start_date: '2024-01-01',
      atr_tariffs: [{ value: identifier, valid_from: '2024-01-01' }],
    })),
  )
  const fields = {
    customers: [{ user_details: details }],
    supply_addresses: [
      {
        supply_address: { country: 'ES', postal_code: ' 1'.repeat(256) },
        customer_at_supply_address_from_date: '2024-01-01',
        supply_points: points,
      },
    ],
  }
  const begin = performance.now()
  t.true(validate(fields).warnings.length >= 900)
  t.true(performance.now() - begin < 10_000, `${performance.now() - begin} ms`)
})
